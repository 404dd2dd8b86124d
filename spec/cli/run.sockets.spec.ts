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
    ['a malformed token', ['upload', '.', ...SOURCE, '--token', 'sec ret'], '--token is malformed'],
    ['an empty token', ['upload', '.', ...SOURCE, '--token', ''], '--token is empty'],
    ['a blank branch', ['upload', '.', ...TOKEN, '--branch', ' '], '--branch is " "; give the name of the branch'],
    ['a blank branch of the embedded server', ['upload', '.', '--embedded', '--branch', ''], '--branch is ""'],
    ['half a commit for the embedded server', ['upload', '.', '--embedded', '--commit', 'abc'], '--commit is "abc"'],
    ['a URL with a password', ['upload', '.', ...TOKEN, '--api', 'http://a:secret@host/'], '--api holds a user name or password'],
    ['a blank folder', ['upload', '', '--embedded'], "argument 'dir'. Give the path of a folder"],
    ['no time', ['get', 'http://host/', '--timeout', '0'], "option '--timeout <time>' argument '0' is invalid"],
    ['a blank cache', ['get', 'http://host/', '--cache', ''], "option '--cache <dir>' argument '' is invalid"],
    ['a blank recording', ['get', 'http://host/', '--replay', ' '], "option '--replay <dir>' argument ' ' is invalid"],
    ['a recording below a file', ['get', 'http://host/', '--record', '/dev/null/x'], '--record: the folder /dev/null/x cannot be made'],
    ['a password in a URL', ['get', 'http://a:secret@host/'], "give --header 'authorization: ...'"],
    ['a blank host', ['serve', '--host', ''], "option '--host <address>' argument '' is invalid"],
    ['a host that is none', ['serve', '--host', 'nowhere.invalid'], 'leave out --host to listen on 127.0.0.1'],
    ['no requests', ['serve', '--limit', '0'], "option '--limit <requests>' argument '0' is invalid"],
    ['a route that is none', ['serve', '--flaky', 'bad'], "--flaky is 'bad'; give"],
    ['an origin that is none', ['serve', '--cors', 'app.example'], '--cors is app.example; give'],
    ['a folder below a file', ['serve', '--folder', '/dev/null/x'], '--folder: /dev/null/x cannot be used'],
    ['a bad URL', ['upload', '.', ...TOKEN, '--api', 'argos'], '--api is not an http or https URL'],
    ['a URL of another scheme', ['upload', '.', ...TOKEN, '--api', 'ftp://host/'], '--api is not an http or https URL'],
    ['half a commit', ['upload', '.', ...TOKEN, '--branch', 'main', '--commit', 'abc123'], '--commit is "abc123"; give all of its 40'],
    ['no files at once', ['upload', '.', '--concurrency', '0'], '--concurrency is "0"; give a whole number from 1 to 9999'],
    ['two servers', ['upload', '.', '--embedded', '--api', 'http://host'], "option '--embedded' cannot be used with option '--api <url>'"],
    [
      'a port that is none',
      ['serve', '--port', '70000'],
      "option '--port <number>' argument '70000' is invalid. Give a whole number from 0 to 65535",
    ],
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
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^coldfetch: The API refused the token of COLDFETCH_TOKEN, [^\n]+\n$/)]);
  });

  it('says that there is not a git repository to ask', async () => {
    const folder = await folderOf();
    await mkdir(join(folder, '.git'));
    const { code, stderr } = await coldfetch(['upload', '.', ...TOKEN], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^coldfetch: No commit is known: .* is not a git repository with a commit; give it/),
    ]);
  });
});

describe('coldfetch, in a wrong environment', () => {
  const commit = 'c'.repeat(40);
  it.each<[string, Record<string, string>, string[], string]>([
    ['an empty token', { COLDFETCH_TOKEN: '' }, SOURCE, 'COLDFETCH_TOKEN is empty'],
    ['a malformed token', { COLDFETCH_TOKEN: 'sec\nret' }, SOURCE, 'COLDFETCH_TOKEN is malformed'],
    ['no commit', { GITHUB_ACTIONS: '1', GITHUB_SHA: 'abc', GITHUB_REF_NAME: 'main' }, TOKEN, 'GITHUB_SHA is "abc"; give all of its 40'],
    ['no branch', { GITLAB_CI: '1', CI_COMMIT_SHA: commit, CI_COMMIT_REF_NAME: ' ' }, TOKEN, 'CI_COMMIT_REF_NAME is " "'],
    [
      'no number',
      { GITHUB_ACTIONS: '1', GITHUB_SHA: commit, GITHUB_REF_NAME: 'main', GITHUB_RUN_ATTEMPT: '1st' },
      TOKEN,
      'GITHUB_RUN_ATTEMPT is "1st"',
    ],
    ['no Redis', { COLDFETCH_REDIS: 'http://secret@host' }, [...TOKEN, ...SOURCE, '--redis'], 'COLDFETCH_REDIS: '],
    ['an empty Redis', { COLDFETCH_REDIS: '' }, [...TOKEN, ...SOURCE, '--redis'], 'set COLDFETCH_REDIS'],
    [
      'a proxy that speaks no HTTP',
      { ALL_PROXY: 'socks5://a:secret@host:1' },
      [...TOKEN, ...SOURCE],
      'ALL_PROXY names a proxy of the kind socks5://',
    ],
    ['a proxy that is none', { https_proxy: 'http://se cret:80' }, [...TOKEN, ...SOURCE], 'https_proxy is not a URL of a proxy'],
  ])('names the variable in one line: %s', async (_case, env, argv, message) => {
    const { code, stdout, stderr } = await coldfetch(['upload', '.', ...argv], { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^coldfetch: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/se ?cret/);
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

  it.each(['', 'upload', 'finalize', 'get', 'serve', 'explain', 'simulate'])('helps in 80 columns: %s', async (command) => {
    const { stdout } = await coldfetch([command, '--help'].filter((word) => word !== ''));
    expect(stdout.split('\n').filter(({ length }) => length > 80)).toEqual([]);
  });

  it('says in its first sentence where an upload goes', async () => {
    const [, , sentence = ''] = (await coldfetch(['upload', '--help'])).stdout.split('\n');
    expect(sentence).toContain('to the Argos API by default');
  });

  it('tells the exit codes of an upload', async () => {
    expect((await coldfetch(['upload', '--help'])).stdout).toContain(
      'Exit codes: 0 all arrived, 1 some did not, 2 wrong usage, 3 completed without\nfiles that failed (--allow-missing), 130 Ctrl-C, 143 terminated, 129 hung up;',
    );
  });
});
