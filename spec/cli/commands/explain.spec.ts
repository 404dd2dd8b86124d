import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { explain } from '../explain/support.js';
import { worldOf } from '../support.js';

describe('coldfetch explain', () => {
  it('shows what would happen, and why, in 80 columns', async () => {
    const { stdout, code } = await explain(['--policy', 'api', '--random', '0.7', '429{retry-after:30} 503 hang 200']);
    expect(stdout).toBe(
      [
        '--x(429) ~30s~ --x(503) ~1.4s~ -30s-x(timeout) ~2.8s~ --o(200)',
        '',
        '1  0 s     429      waits 30 s at the gate of its route (retryable, retry 1 of',
        '                    3): Retry-After asked for it; own backoff would have been',
        '                    0.7 s; 90 s of the deadline left',
        '2  30 s    503      waits 1.4 s on a timer (retryable, retry 2 of 3): own',
        '                    backoff; 88.6 s of the deadline left',
        '3  61.4 s  timeout  waits 2.8 s on a timer (retryable, retry 3 of 3): own',
        '                    backoff; 55.8 s of the deadline left',
        '',
        'Answered with 200 after 64.2 s and 4 attempts.',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  it.each([40, 60, 80, 100])('keeps to %d columns', async (columns) => {
    const { stdout } = await explain(['--policy', 'upload', '429{retry-after:300}*5 503{retry-after:1}*3 network 200'], '/', columns);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
  });

  it('puts sentences under the table where there is no room beside it', async () => {
    const { stdout } = await explain(['429{retry-after:3} 200'], '/', 40);
    expect(stdout).toContain(
      '\n1  0 s  429\n   waits 3 s at the gate of its route\n   (throttled, retry 1 of 5):\n   Retry-After asked for it; own backoff\n   would have been 0.5 s\n',
    );
  });

  it('believes COLUMNS where the output is no terminal', async () => {
    const { io, stdout } = worldOf({ env: { COLUMNS: '40' } });
    Object.assign(io.stdout, { columns: undefined });
    await run(['explain', '429{retry-after:3} 200'], io);
    expect(
      Math.max(
        ...stdout()
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(40);
  });

  it('takes a body that stops for a timeout', async () => {
    const { stdout } = await explain(['stall 200']);
    expect(stdout).toContain('-30s-x(200 timeout) ~0.5s~ --o(200)');
    expect(stdout).toContain('1  30 s  200 timeout  waits 0.5 s on a timer (transient, retry 1 of 3): own');
  });

  it.each([
    ['503*4', 'the 503'],
    ['network*4', 'the NetworkError'],
    ['hang*4', 'the TimeoutError'],
  ])('says what the caller gets of %s', async (script, error) => {
    expect((await explain([script])).stdout).toMatch(new RegExp(`^Gave up after .*: the caller gets ${error}\\.$`, 'm'));
  });

  it('takes header fields before the script', async () => {
    const { stdout } = await explain(['--method', 'POST', '--header', 'a: b', '--header', 'idempotency-key: 1', '503 200']);
    expect(stdout).toContain('Answered with 200');
  });

  it("plays a policy's rules with another deadline and timeout", async () => {
    const { stdout } = await explain(['--json', '--policy', 'api', '--deadline', '10s', '--timeout', '4s', 'hang*']);
    expect(JSON.parse(stdout)).toMatchObject({ hits: [0, 4500, 9500], end: 10_000, reason: 'deadline' });
    expect((await explain(['--policy', 'api', '--deadline', 'none', '429{retry-after:1500} 200'])).stdout).toContain('~25m~');
  });

  it('refuses what would never end', async () => {
    const { code, stderr } = await explain(['--timeout', 'none', 'hang']);
    expect(stderr).toBe('coldfetch: This never ends: give the policy a timeout or a deadline\n');
    expect(code).toBe(2);
  });

  it('says when the script is too short, and for which request', async () => {
    const { stdout, code } = await explain(['--policy', 'upload', '503 503']);
    expect(stdout).toContain('The script ends here: request 3 is sent after 3 s, and has no answer.');
    expect(stdout).not.toContain('!');
    expect(code).toBe(1);
  });

  it('ends with a policy that would never end', async () => {
    const { stdout, code } = await explain(['--policy', 'patient', '--random', '0', '429*']);
    expect(stdout).toContain('request 1001');
    expect(code).toBe(1);
  });

  it('shows an abort in a wait', async () => {
    const { stdout } = await explain(['--policy', 'upload', '--abort-at', '1.5s', '429{retry-after:3} 200']);
    expect(stdout).toMatch(/^--x\(429\) ~1\.5s of 3s !$/m);
    expect(stdout).toMatch(/Aborted after 1\.5 s and 1 attempt\.$/m);
  });

  it('lets all answers take their time, or one its own', async () => {
    const { stdout } = await explain(['--json', '--policy', 'upload', '--latency', '200ms', '503 1s:network 200']);
    expect(JSON.parse(stdout)).toMatchObject({ hits: [0, 1200, 4200], end: 4400 });
  });

  it('takes a script in one argument or in several', async () => {
    const [one, several] = await Promise.all([explain(['503 503 200']), explain(['503', '503', '200'])]);
    expect(several).toEqual(one);
  });

  it('prints data of the documented shape', async () => {
    const { stdout } = await explain(['--json', '--runs', '2', '503*4']);
    const report = JSON.parse(stdout) as Record<string, unknown> & { steps: object[] };
    expect(Object.keys(report).sort()).toEqual(
      ['conclusion', 'distribution', 'end', 'error', 'hits', 'outcome', 'policy', 'random', 'reason', 'script', 'steps', 'timeline'].sort(),
    );
    expect(Object.keys(report.steps[0] ?? {})).toEqual(['at', 'attempt', 'after', 'text']);
  });

  it('writes a picture', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coldfetch-explain-'));
    await explain(['--svg', 'a.svg', '429{retry-after:3} 200'], folder);
    expect(await readFile(join(folder, 'a.svg'), 'utf8')).toMatch(/^<svg [^]*429\{retry-after:3\} 200[^]*<\/svg>\n$/);
    await rm(folder, { recursive: true });
  });

  it('names a picture that cannot be written', async () => {
    const { code, stderr } = await explain(['--svg', '/no/such/folder/a.svg', '200']);
    expect(stderr).toMatch(/^coldfetch: --svg: cannot write \/no\/such\/folder\/a\.svg .*name a file in a folder that exists\n$/);
    expect(code).toBe(2);
  });

  it.each([
    [['--policy', 'nosuch', '200']],
    [['--random', '1', '200']],
    [['--random', '0.5', '--runs', '10', '200']],
    [['--runs', '0', '200']],
    [['--latency', 'soon', '200']],
    [['--abort-at', '-5', '200']],
    [['--header', 'nocolon', '200']],
    [['--header', 'a b: 1', '200']],
    [['--method', 'G E T', '200']],
    [['--method', 'TRACE', '200']],
    [['--deadline', '0', '200']],
    [['--timeout', 'soon', '200']],
    [[]],
  ])('refuses wrong usage: %j', async (argv) => {
    const { code, stdout, stderr } = await explain(argv);
    expect(stderr).toMatch(/^coldfetch: ./);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
