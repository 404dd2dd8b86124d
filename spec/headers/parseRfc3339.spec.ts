import { describe, expect, it } from 'vitest';
import { parseRfc3339 } from '../../src/headers/parseRfc3339.js';

describe('parseRfc3339', () => {
  it.each([
    ['2026-10-21T07:29:00Z', Date.UTC(2026, 9, 21, 7, 29)],
    ['2026-10-21T07:29:00.250Z', Date.UTC(2026, 9, 21, 7, 29, 0, 250)],
    ['2026-10-21T07:29:00.123456789Z', Date.UTC(2026, 9, 21, 7, 29, 0, 123)],
    ['2026-10-21t07:29:00z', Date.UTC(2026, 9, 21, 7, 29)],
    ['2026-10-21T09:29:00+02:00', Date.UTC(2026, 9, 21, 7, 29)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
  ])('reads %s', (value, ms) => {
    expect(parseRfc3339(value)).toBe(ms);
  });

  it.each([
    null,
    undefined,
    '',
    '2026-10-21',
    '2026-10-21T07:29:00',
    '2026-10-21 07:29:00Z',
    '2026-02-31T07:29:00Z',
    '2026-13-01T07:29:00Z',
    '2026-10-00T07:29:00Z',
    '2026-10-21T25:29:00Z',
    '+002026-10-21T07:29:00Z',
    'Wed, 21 Oct 2026 07:28:30 GMT',
    '1792567710',
  ])('refuses %j', (value) => {
    expect(parseRfc3339(value)).toBeUndefined();
  });
});
