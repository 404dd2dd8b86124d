import { describe, expect, it } from 'vitest';
import { statusLine } from '../../../src/cli/report/statusLine.js';

const wait = 'rate-limited by api.example.com: next try in 3 s, 11 of 36 uploaded';
const half = { loaded: 1_100_000, size: 2_200_000, note: wait };

describe('statusLine', () => {
  it('shows bar, bytes and note where there is room', () => {
    expect(statusLine({ ...half, note: '18 of 36 uploaded' }, 100)).toBe(
      '████████████░░░░░░░░░░░░  50 % | 1.1 MB of 2.2 MB | 18 of 36 uploaded',
    );
  });

  it.each([60, 80, 90, 100, 120, 200])('fits %d columns, and keeps the end of the note while it can', (columns) => {
    const line = statusLine(half, columns);
    expect(line.length).toBeLessThan(columns);
    expect(line.endsWith('11 of 36 uploaded')).toBe(columns >= 80);
  });

  it.each([0, 1, 10])('is no longer than the terminal of %d columns is wide', (columns) => {
    expect(statusLine(half, columns).length).toBeLessThanOrEqual(Math.max(columns - 1, 1));
  });

  it('is one line, whatever a server has put into the note', () => {
    expect(statusLine({ ...half, note: 'a\n\x1b[2Kb' }, 120)).toContain('a\\n\\x1b[2Kb');
  });

  it('says 100 % when all has arrived, not before', () => {
    const at = (loaded: number): string => statusLine({ loaded, size: 1_000, note: '' }, 80);
    expect([at(999), at(1_000)]).toEqual([expect.stringContaining(' 99 %'), expect.stringContaining('100 %')]);
  });
});
