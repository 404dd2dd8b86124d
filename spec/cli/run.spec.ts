import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../node/support.js';
import { coldfetch } from './support.js';

const SOURCE = ['--commit', 'c'.repeat(40), '--branch', 'main'];
const TOKEN = ['--token', 'secret'];

describe('coldfetch, used wrongly', () => {
  it.each([
    ['without a command it knows', ['frob'], "unknown command 'frob'"],
    ['an unknown option', ['upload', '.', '--nope'], "unknown option '--nope'"],
    ['an unknown option with a secret behind it', ['upload', '.', '--tokne=secret'], "unknown option '--tokne'"],
    ['a misspelt option', ['upload', '.', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    ['no folder', ['upload'], "missing required argument 'dir'"],
    ['a folder that is not there', ['upload', '/nowhere', '--embedded'], 'The folder /nowhere does not exist'],
    ['no token', ['upload', '.'], 'No token: set COLDFETCH_TOKEN, or give --token; --embedded needs none'],
    ['a malformed token', ['upload', '.', ...SOURCE, '--token', 'sec ret'], 'The token is malformed'],
    ['a bad URL', ['upload', '.', ...TOKEN, '--api', 'argos'], '--api is not an http or https URL'],
    ['a URL of another scheme', ['upload', '.', ...TOKEN, '--api', 'ftp://host/'], '--api is not an http or https URL'],
    ['half a commit', ['upload', '.', ...TOKEN, '--branch', 'main', '--commit', 'abc123'], '--commit is "abc123"; give all of its 40'],
    ['no files at once', ['upload', '.', '--concurrency', '0'], "argument '0' is invalid. Give a whole number from 1 to 9999"],
    ['two servers', ['upload', '.', '--embedded', '--api', 'http://host'], "option '--embedded' cannot be used with option '--api <url>'"],
    ['a port that is none', ['serve', '--port', '70000'], 'port 70000 is not usable'],
    ['a window of no length', ['serve', '--limit', '3', '--window', '0'], 'Give seconds, more than 0'],
  ])('says in one line what is wrong: %s', async (_case, argv, message) => {
    const { code, stdout, stderr } = await coldfetch(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^coldfetch: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/sec ?ret/);
  });

  it.each([
    ['no images', {}, 'No images in '],
    ['a zero-byte image', { 'a.png': '', 'b.png': 'x' }, 'a.png is empty (0 bytes) (nothing was sent)'],
  ])('says in one line what is wrong: %s', async (_case, files, message) => {
    const { code, stderr } = await coldfetch(['upload', await folderOf(files), '--embedded']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^coldfetch: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it('says that a port is in use', async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const { code, stderr } = await coldfetch(['serve', '--port', String(server.port)]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^coldfetch: Port \d+ on 127\.0\.0\.1 is in use; choose another one[^\n]*\n$/),
    ]);
  });

  it('says that the API refused the token, without showing it', async () => {
    const server = await startServer({ token: 'right' });
    onTestFinished(() => server.close());
    const argv = ['upload', await folderOf({ 'a.png': 'x' }), '--api', server.apiUrl, ...SOURCE];
    const { code, stderr } = await coldfetch(argv, { env: { COLDFETCH_TOKEN: 'wrong' } });
    expect([code, stderr]).toEqual([2, "coldfetch: The API refused the token: set COLDFETCH_TOKEN or --token to the project's\n"]);
  });

  it('says that there is no git repository to ask', async () => {
    const folder = await folderOf();
    await mkdir(join(folder, '.git'));
    const { code, stderr } = await coldfetch(['upload', '.', ...TOKEN], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^coldfetch: No commit is known: .* is no git repository with a commit; give it/),
    ]);
  });
});

describe('coldfetch, asked for help', () => {
  it('prints its version', async () => {
    expect(await coldfetch(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('lists its commands', async () => {
    const { code, stdout } = await coldfetch(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}upload .*^ {2}serve /ms)]);
  });

  it.each(['', 'upload', 'get', 'serve', 'explain', 'simulate'])('helps in 80 columns: %s', async (command) => {
    const { stdout } = await coldfetch([command, '--help'].filter((word) => word !== ''));
    expect(stdout.split('\n').filter(({ length }) => length > 80)).toEqual([]);
  });

  it('tells the exit codes of an upload', async () => {
    expect((await coldfetch(['upload', '--help'])).stdout).toContain(
      'Exit codes: 0 all arrived, 1 some did not, 2 wrong usage, 130 Ctrl-C',
    );
  });
});
