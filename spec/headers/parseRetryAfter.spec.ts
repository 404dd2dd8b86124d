import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/headers/parseRetryAfter.js';
import vectors from '../vectors/retry-after.json' with { type: 'json' };

const now = Date.UTC(2026, 9, 21, 7, 28, 0);

describe('parseRetryAfter', () => {
  it.each(vectors.cases)('reads $value as $ms ms: $why', ({ value, ms }) => {
    expect(parseRetryAfter(value, vectors.now)).toBe(ms ?? undefined);
  });

  it.each([null, undefined])('has nothing to say about a field that is %s', (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });

  it('takes the latest of several dates, whose own commas separate nothing', () => {
    const imf = 'Wed, 21 Oct 2026 07:28:30 GMT';
    const rfc850 = 'Wednesday, 21-Oct-26 07:28:40 GMT';
    const asctime = 'Wed Oct 21 07:28:50 2026';
    expect(parseRetryAfter(`${imf}, ${imf}`, now)).toBe(30_000);
    expect(parseRetryAfter(`${imf}, ${rfc850}`, now)).toBe(40_000);
    expect(parseRetryAfter(`${asctime}, ${rfc850},${imf}`, now)).toBe(50_000);
  });

  it('takes the longest of seconds and dates together', () => {
    expect(parseRetryAfter('5, Wed, 21 Oct 2026 07:28:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Wed, 21 Oct 2026 07:28:30 GMT, 45', now)).toBe(45_000);
    expect(parseRetryAfter('Wed, 21 Oct 2026 07:27:00 GMT, 0', now)).toBe(0);
  });

  it.each(['3,', ',3', '3,,5', ',', '3, ', '3, Wed, 21 Oct', 'Wed, 21 Oct 2026 07:28:30 GMT, soon', '3 5', '3;5'])(
    'refuses the whole field for one bad member: %j',
    (value) => {
      expect(parseRetryAfter(value, now)).toBeUndefined();
    },
  );

  it.each(['\u00a05', '5\n', '\u0665', '５', '5 s', '1_000', '5.', '.5', '5,0.5'])('takes nothing but ASCII digits: %j', (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });

  it('stays finite when the digits do not', () => {
    expect(parseRetryAfter('9'.repeat(1000), now)).toBe(Number.MAX_VALUE);
  });

  it('takes time in proportion to its input', () => {
    // Each of these would keep a quadratic reader busy for minutes.
    const long = 300_000;
    expect(parseRetryAfter('3,'.repeat(long) + '3', now)).toBe(3000);
    expect(parseRetryAfter(`${' '.repeat(long)}x${' '.repeat(long)}x`, now)).toBeUndefined();
    expect(parseRetryAfter(`1${' '.repeat(long)}x`, now)).toBeUndefined();
    expect(parseRetryAfter(`${'1'.repeat(long)}x`, now)).toBeUndefined();
  });
});
