import { describe, expect, it } from 'vitest';
import { explain } from './support.js';

describe('explain --runs', () => {
  it('sums up many runs: the same numbers each time', async () => {
    const argv = ['--json', '--policy', 'standard', '--runs', '300', '503*3 200'];
    const { distribution } = JSON.parse((await explain(argv)).stdout) as { distribution: Record<string, number> };
    expect(distribution).toMatchObject({ runs: 300, answered: 1, gaveUp: 0, aborted: 0, scriptEnded: 0, attempts: 4 });
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

  it('tells one run from the many', async () => {
    const { stdout } = await explain(['--runs', '50', '503 200']);
    expect(stdout).toMatch(
      /^One run, with every draw 0\.5:\n\n--x\(503\) ~0\.5s~ --o\(200\)\n[^]*\n\n50 runs: 100 % answered, 0 % gave up\n/,
    );
  });

  it('counts the runs that were aborted, and those that ran out of script', async () => {
    expect((await explain(['--runs', '50', '--abort-at', '1s', '503*2 200'])).stdout).toMatch(
      /\d % answered, 0 % gave up, \d+ % aborted$/m,
    );
    expect((await explain(['--runs', '50', '503'])).stdout).toMatch(/0 % answered, 0 % gave up, 100 % ran out of script$/m);
  });
});
