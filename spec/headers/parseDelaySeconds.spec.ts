import { describe, expect, it } from 'vitest';
import { parseDelaySeconds } from '../../src/headers/parseDelaySeconds.js';
import vectors from '../vectors/retry-after.json' with { type: 'json' };

describe('parseDelaySeconds', () => {
  it.each(vectors.cases)('reads $value as $seconds ms: $why', ({ value, seconds }) => {
    expect(parseDelaySeconds(value)).toBe(seconds ?? undefined);
  });

  it.each([null, undefined, '\u00a05', '5\n', '５'])('refuses %j', (value) => {
    expect(parseDelaySeconds(value)).toBeUndefined();
  });

  it('stays finite when the digits do not', () => {
    expect(parseDelaySeconds('9'.repeat(400))).toBe(Number.MAX_VALUE);
  });
});
