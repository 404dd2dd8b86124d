import { describe, expect, it } from 'vitest';
import { coldfetch } from '../support.js';

const small = ['simulate', '--shards', '4', '--uploads', '30', '--limit', '40', '--window', '1m'];

describe('coldfetch simulate', () => {
  it('plots requests and 429s over time, and sums up', async () => {
    const { code, stdout, stderr } = await coldfetch(small);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^4 shards with 30 uploads each, 10 at once; 40 requests in 60 s \(fixed-window\)\npolicy upload, a pacer in each shard\n/,
    );
    expect(stdout).toMatch(/\n {5}0 s \|#+x*\n/);
    expect(stdout).toMatch(
      /done after 12\d s, 1\.0\d\d times the 2 min that the limit asks for\n120 of 120 uploads arrived, by 1\d\d requests/,
    );
    expect(stdout).toContain('0 of 4 shards lost an upload');
  });

  it('shows what is lost without a pacer, and exits with 1', async () => {
    const { code, stdout } = await coldfetch([...small, '--limit', '8', '--window', '5m', '--pace', 'none']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/x{3}/);
    expect(stdout).toMatch(/[1-4] of 4 shards lost an upload; most 429s of one upload: 6/);
  });

  it('prints the same data for the same seed', async () => {
    const [one, again, other] = await Promise.all(['1', '1', '2'].map((seed) => coldfetch([...small, '--json', '--seed', seed])));
    expect(JSON.parse(one?.stdout ?? '')).toMatchObject({ lost: 0, early: 0, options: { shards: 4, seed: 1 } });
    expect(again?.stdout).toBe(one?.stdout);
    expect(other?.stdout).not.toBe(one?.stdout);
  });

  it('plays servers that count otherwise, and other policies', async () => {
    const { stdout } = await coldfetch([...small, '--server', 'token-bucket', '--policy', 'patient', '--latency', '20ms']);
    expect(stdout).toContain('(token-bucket)\npolicy patient');
  });

  it('refuses what makes no sense', async () => {
    for (const wrong of [
      ['--shards', '0'],
      ['--window', '500ms'],
      ['--window', 'soon'],
      ['--policy', 'none'],
      ['--pace', 'slow'],
    ]) {
      const { code, stderr } = await coldfetch(['simulate', ...wrong]);
      expect([code, stderr.split('\n').length]).toEqual([2, 2]);
    }
  });
});
