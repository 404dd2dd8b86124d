import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../explain/support.js';

/** The sentences, unwrapped. */
async function sentences(argv: readonly string[]): Promise<string[]> {
  const { stdout } = await explain(['--json', ...argv]);
  return (JSON.parse(stdout) as { steps: { text: string }[] }).steps.map(({ text }) => text);
}

describe('coldfetch explain', () => {
  it('shows what would happen, and why, in 80 columns', async () => {
    const { stdout, code } = await explain(['--policy', 'api', '--random', '0.7', '429{retry-after:30} 503 hang 200']);
    expect(stdout).toBe(
      [
        '--x(429) ~30s~ --x(503) ~1.4s~ -30s-x(timeout) ~2.8s~ --o(200)',
        '',
        '1  0 s     429      waits 30 s: Retry-After asked for it; own backoff would have',
        '                    been 0.7 s; 90 s of the deadline left',
        '2  30 s    503      waits 1.4 s: own backoff, retry 2 of 3 for retryable; 88.6 s',
        '                    of the deadline left',
        '3  61.4 s  timeout  waits 2.8 s: own backoff, retry 3 of 3 for retryable; 55.8 s',
        '                    of the deadline left',
        '',
        'Answered with 200 after 64.2 s and 4 attempts.',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  it.each([60, 80, 100])('keeps to %d columns', async (columns) => {
    const { stdout } = await explain(['--policy', 'upload', '429{retry-after:300}*5 503{retry-after:1}*3 network 200'], '/', columns);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
  });

  describe('says why', () => {
    it.each([
      ['a cap', ['--policy', 'upload', '429{retry-after:300} 200'], 'waits 60 s: Retry-After asked for 5 min, capped at 60 s'],
      [
        'a spread',
        ['--policy', 'interactive', '429{retry-after:2} 200'],
        'waits 2.1 s: Retry-After asked for 2 s, plus 0.1 s of spread; own backoff would have been 0.25 s; 12.9 s of the deadline left',
      ],
      [
        'an own backoff that is longer',
        ['--policy', 'interactive', '--random', '0.9', '429{retry-after:0} 200'],
        'waits 0.45 s: Retry-After asked for 0 s, own backoff of 0.45 s is longer; 14.6 s of the deadline left',
      ],
      [
        "GitHub's field",
        ['--policy', 'api', '429{x-ratelimit-remaining:0,x-ratelimit-reset:45} 200'],
        'waits 45 s: x-ratelimit-reset asked for it; own backoff would have been 0.5 s; 75 s of the deadline left',
      ],
      [
        'a field that cannot be read',
        ['--policy', 'upload', '429{retry-after:1.5} 200'],
        'waits 1 s: own backoff ("Retry-After: 1.5" is no delay to this policy), retry 1 of 5 for throttled',
      ],
      [
        'a field that is not heeded',
        ['--policy', 'upload', '503{retry-after:9} 200'],
        'waits 1 s: own backoff (this policy heeds no Retry-After on a 503), retry 1 of 3 for transient',
      ],
      [
        'a retry without a count',
        ['--policy', 'patient', '429 200'],
        'waits 0.5 s: own backoff, retry 1 for throttled; 30 min of the deadline left',
      ],
    ])('waiting: %s', async (_, argv, sentence) => {
      expect(await sentences(argv)).toEqual([sentence]);
    });

    it('a second zero is not believed', async () => {
      const [, second] = await sentences(['--policy', 'upload', '429{retry-after:0}*2 200']);
      expect(second).toBe('waits 2 s: own backoff (a second zero in a row is not believed), retry 2 of 5 for throttled');
    });

    it.each([
      ['the count is used up', ['503*4'], 'gives up: the 3 retries for transient are used up'],
      ['no rule takes it', ['404'], 'gives up: no rule of this policy takes a 404'],
      ['it cannot be sent again', ['--method', 'post', '503'], 'gives up: a POST without an idempotency key is not sent again for this'],
      [
        'the deadline leaves too little',
        ['--policy', 'interactive', '429{retry-after:16}'],
        'gives up: 16 s do not fit in the 15 s that the deadline leaves',
      ],
      [
        'the deadline passes',
        ['--policy', 'batch', '--latency', '10s', '429{retry-after:15} 200ms:503 hang'],
        'gives up: the deadline of 30 s passed in flight',
      ],
    ])('giving up: %s', async (_, argv, sentence) => {
      expect((await sentences(argv)).at(-1)).toBe(sentence);
    });
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

  it('sums up many runs: the same numbers each time', async () => {
    const argv = ['--json', '--policy', 'standard', '--runs', '300', '503*3 200'];
    const { distribution } = JSON.parse((await explain(argv)).stdout) as { distribution: Record<string, number> };
    expect(distribution).toMatchObject({ runs: 300, answered: 1, gaveUp: 0, attempts: 4 });
    // Three even draws, from 0 to 1, 2 and 4 s.
    expect(distribution.p50).toBeGreaterThan(3000);
    expect(distribution.p50).toBeLessThan(4000);
    expect(distribution.p95).toBeGreaterThan(distribution.p50 ?? Infinity);
    expect(distribution.longest).toBeLessThan(7000);
    expect(JSON.parse((await explain(argv)).stdout)).toMatchObject({ distribution });
  });

  it('counts the runs that give up', async () => {
    const { stdout, code } = await explain(['--policy', 'interactive', '--runs', '200', '429{retry-after:4}*3 200ms:200']);
    expect(stdout).toMatch(/^200 runs: \d+(\.\d)? % answered, \d+(\.\d)? % gave up$/m);
    expect(stdout).toMatch(/^total time {3}p50 .* {3}p95 .* {3}longest .*$/m);
    expect(code).toBe(stdout.includes(' 100 % answered') ? 0 : 1);
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
    [[]],
  ])('refuses wrong usage: %j', async (argv) => {
    const { code, stdout, stderr } = await explain(argv);
    expect(stderr).toMatch(/^coldfetch: ./);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
