import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpDate, parseRfc3339 } from '../../src/headers/parseDates.js';
import { forAll } from '../support/forAll.js';

const now = Date.UTC(2026, 9, 21, 7, 28, 0);
const october21 = Date.UTC(2026, 9, 21, 7, 28, 30);

describe('parseHttpDate', () => {
  it.each([
    'Wed, 21 Oct 2026 07:28:30 GMT',
    'Wednesday, 21-Oct-26 07:28:30 GMT',
    'Wed Oct 21 07:28:30 2026',
    ' Wed Oct 21 07:28:30 2026\t',
  ])('reads all forms that HTTP has known: %j', (value) => {
    expect(parseHttpDate(value, now)).toBe(october21);
  });

  it('reads asctime days below 10, padded with a space or a zero', () => {
    const first = Date.UTC(2026, 9, 1, 7, 28, 30);
    expect(parseHttpDate('Thu Oct  1 07:28:30 2026', now)).toBe(first);
    expect(parseHttpDate('Thu Oct 01 07:28:30 2026', now)).toBe(first);
    expect(parseHttpDate('Thu Oct 1 07:28:30 2026', now)).toBeUndefined();
  });

  it('does not mind the name of another day', () => {
    expect(parseHttpDate('Mon, 21 Oct 2026 07:28:30 GMT', now)).toBe(october21);
    expect(parseHttpDate('Xyz, 21 Oct 2026 07:28:30 GMT', now)).toBeUndefined();
  });

  it.each([
    ['Fri, 29 Feb 2028 00:00:00 GMT', Date.UTC(2028, 1, 29)],
    ['Wed, 29 Feb 2000 00:00:00 GMT', Date.UTC(2000, 1, 29)],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('reads %s', (value, ms) => {
    expect(parseHttpDate(value, now)).toBe(ms);
  });

  it.each([
    'Mon, 29 Feb 2027 00:00:00 GMT',
    'Mon, 29 Feb 2100 00:00:00 GMT',
    'Wed, 31 Apr 2026 00:00:00 GMT',
    'Wed, 00 Oct 2026 00:00:00 GMT',
    'Wed, 32 Dec 2026 00:00:00 GMT',
    'Wed, 21 Foo 2026 07:28:30 GMT',
    'Wed, 21 Oct 2026 24:00:00 GMT',
    'Wed, 21 Oct 2026 07:60:00 GMT',
    'Wed, 21 Oct 2026 07:28:61 GMT',
    'Wednesday, 31-Feb-27 07:28:30 GMT',
    'Sun Feb 31 07:28:30 2027',
  ])('knows no such moment: %s', (value) => {
    expect(parseHttpDate(value, now)).toBeUndefined();
  });

  it.each([
    '',
    'Wed, 21 Oct 2026 07:28:30',
    'Wed, 21 Oct 2026 07:28:30 gmt',
    'Wed, 21 Oct 2026 07:28:30 UTC',
    'Wed, 21 Oct 2026 07:28:30 +0000',
    'wed, 21 Oct 2026 07:28:30 GMT',
    'Wed, 21 oct 2026 07:28:30 GMT',
    'Wed, 1 Oct 2026 07:28:30 GMT',
    'Wed, 21  Oct 2026 07:28:30 GMT',
    'Wed,21 Oct 2026 07:28:30 GMT',
    'Wednesday, 21 Oct 2026 07:28:30 GMT',
    'Wed, 21-Oct-26 07:28:30 GMT',
    'Wednesday, 21-Oct-2026 07:28:30 GMT',
    'Wed Oct 21 07:28:30 2026 GMT',
    'Wed, 21 Oct 26 07:28:30 GMT',
    '21 Oct 2026 07:28:30 GMT',
    '2026-10-21T07:28:30Z',
    '1792567710',
  ])('holds to the grammar: %j', (value) => {
    expect(parseHttpDate(value, now)).toBeUndefined();
  });

  it.each([
    { at: '2026-10-21T07:28:00Z', year: '76', means: 2076, why: 'exactly 50 years ahead at most', time: '07:28:00' },
    { at: '2026-10-21T07:28:00Z', year: '76', means: 1976, why: 'a second more than 50 years ahead is the past', time: '07:28:01' },
    { at: '2026-10-21T07:28:00Z', year: '77', means: 1977, why: 'more than 50 years ahead is the past', time: '07:28:00' },
    { at: '2026-10-21T07:28:00Z', year: '00', means: 2000, why: 'the past of this century', time: '07:28:00' },
    { at: '2099-12-31T23:59:59Z', year: '00', means: 2100, why: 'the next century is a second away', time: '07:28:00' },
    { at: '1970-01-01T00:00:00Z', year: '70', means: 1970, why: 'a virtual clock starts in 1970', time: '07:28:00' },
  ])('takes the year $year at $at for $means: $why', ({ at, year, means, time }) => {
    const date = parseHttpDate(`Monday, 21-Oct-${year} ${time} GMT`, Date.parse(at));
    expect(date).toBe(Date.parse(`${String(means)}-10-21T${time}Z`));
  });

  it('does not take the year 26 for 1926', () => {
    expect(parseHttpDate('Wed, 21 Oct 0026 07:28:30 GMT', now)).toBe(Date.parse('0026-10-21T07:28:30Z'));
  });

  it('reads back every date that Date can write', () => {
    const seconds = fc.integer({ min: Math.ceil(Date.UTC(1000, 0) / 1000), max: Math.floor(Date.UTC(9999, 11, 31) / 1000) });
    forAll(
      fc.property(seconds, (second) => {
        expect(parseHttpDate(new Date(second * 1000).toUTCString(), now)).toBe(second * 1000);
      }),
    );
  });
});

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
