import { describe, expect, it } from 'vitest';
import type { QuotaWindow } from '../../../src/headers/QuotaWindow.js';
import { readRateLimit } from '../../../src/headers/rateLimit/readRateLimit.js';
import vectors from '../../vectors/ratelimit.json' with { type: 'json' };

const now = vectors.now;

function read(headers: Readonly<Record<string, string>>): readonly QuotaWindow[] {
  return readRateLimit(new Headers(headers), now);
}

describe('readRateLimit', () => {
  it.each(vectors.cases)('reads $name', ({ headers, windows }) => {
    const seconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1000);
    const seen = readRateLimit(new Headers(headers as unknown as Record<string, string>), now).map((window) => ({
      name: window.name ?? null,
      q: window.quota ?? null,
      w: seconds(window.window),
      r: window.remaining ?? null,
      t: seconds(window.reset),
    }));
    expect(seen).toEqual(windows);
  });

  it('announces nothing for a response without such fields', () => {
    expect(read({ 'content-type': 'text/plain' })).toEqual([]);
  });

  it('joins each window with its policy by name, and appends policies that are only announced', () => {
    expect(
      read({
        'ratelimit-policy': '"minute";q=50;w=60, "hour";q=1000;w=3600;qu="content-bytes", "day";q=5000;w=86400',
        ratelimit: '"hour";r=399;t=2402, "minute";r=20;t=23',
      }),
    ).toEqual([
      { name: 'hour', quota: 1000, unit: 'content-bytes', window: 3_600_000, remaining: 399, reset: 2_402_000 },
      { name: 'minute', quota: 50, window: 60_000, remaining: 20, reset: 23_000 },
      { name: 'day', quota: 5000, window: 86_400_000 },
    ]);
  });

  it('knows the partition, as bytes or as text, and keeps those of one policy apart', () => {
    expect(
      read({
        'ratelimit-policy': 'u;q=10;w=60;pk=:dXNlcg==:, u;q=99;w=60;pk="team"',
        ratelimit: 'u;r=1;t=5;pk="team", u;r=2;t=5;pk=:dXNlcg==:',
      }),
    ).toEqual([
      { name: 'u', quota: 99, window: 60_000, remaining: 1, reset: 5000, partition: 'team' },
      { name: 'u', quota: 10, window: 60_000, remaining: 2, reset: 5000, partition: 'dXNlcg==' },
    ]);
  });

  it('takes the partition from the policy if only that tells', () => {
    expect(read({ 'ratelimit-policy': '"u";q=10;w=60;pk=:dXNlcg==:', ratelimit: '"u";r=1;t=5' })).toMatchObject([
      { partition: 'dXNlcg==' },
    ]);
  });

  it('finds the policy of a draft 7 window by its limit', () => {
    expect(read({ 'ratelimit-policy': '10;w=1, 1000;w=3600', ratelimit: 'limit=1000, remaining=3, reset=70' })).toEqual([
      { quota: 1000, window: 3_600_000, remaining: 3, reset: 70_000 },
      { quota: 10, window: 1000 },
    ]);
  });

  it('guesses no policy for a window that does not say its limit, unless there is only one', () => {
    const window = { ratelimit: 'remaining=3, reset=70' };
    expect(read({ ...window, 'ratelimit-policy': '10;w=1, 1000;w=3600' })[0]).toEqual({ remaining: 3, reset: 70_000 });
    expect(read({ ...window, 'ratelimit-policy': '10;w=1' })).toEqual([{ quota: 10, window: 1000, remaining: 3, reset: 70_000 }]);
  });

  it('reads draft 6 with its policy, and the limits of Envoy with theirs', () => {
    expect(
      read({ 'ratelimit-policy': '100;w=60', 'ratelimit-limit': '100', 'ratelimit-remaining': '50', 'ratelimit-reset': '50' }),
    ).toEqual([{ quota: 100, window: 60_000, remaining: 50, reset: 50_000 }]);
    expect(
      read({
        'x-ratelimit-limit': '10, 10;w=1;name="per-ip", 1000;w=3600',
        'x-ratelimit-remaining': '9',
        'x-ratelimit-reset': '1',
      }),
    ).toEqual([
      { quota: 10, window: 1000, remaining: 9, reset: 1000 },
      { quota: 1000, window: 3_600_000 },
    ]);
  });

  it('believes the standard fields where a server sends the old ones too', () => {
    expect(read({ ratelimit: '"a";r=1;t=5', 'x-ratelimit-remaining': '7', 'ratelimit-remaining': '8' })).toEqual([
      { name: 'a', remaining: 1, reset: 5000 },
    ]);
  });

  it('falls back to the old ones if the standard field is malformed', () => {
    expect(read({ ratelimit: '"a";r=1;t=5,', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '3' })).toEqual([
      { remaining: 7, reset: 3000 },
    ]);
  });

  it('reads the spelling of Twitter, and the fractions of Reddit', () => {
    expect(read({ 'x-rate-limit-limit': '15', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(now / 1000 + 90) })).toEqual([
      { quota: 15, remaining: 0, reset: 90_000 },
    ]);
    expect(read({ 'x-ratelimit-remaining': '598.7', 'x-ratelimit-reset': '1.5' })).toEqual([{ remaining: 598, reset: 1500 }]);
  });

  it.each([
    ['0', 0],
    ['86400', 86_400_000],
    ['86401', undefined],
    ['1000000000', undefined],
    [String(now / 1000 + 90), 90_000],
    [String(now / 1000 - 90), 0],
    [String(now / 1000 + 86_401), undefined],
    [String(now + 1500), 1500],
    [String(now - 1500), 0],
    [String(now + 86_400_001), undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
  ])('takes a reset of %s for %s ms', (reset, expected) => {
    expect(read({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })).toEqual([{ remaining: 0, reset: expected }]);
  });

  it.each<[title: string, headers: Record<string, string>, reset: number]>([
    [
      'the window’s length, beside the limit',
      { 'x-ratelimit-limit': '100;w=60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '57600' },
      57_600,
    ],
    [
      'the window’s length, in the policy',
      { 'ratelimit-policy': '100;w=60', 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '57600' },
      57_600,
    ],
    ['the window’s length, by name', { 'ratelimit-policy': '"a";q=9;w=60', ratelimit: '"a";r=0;t=57600' }, 57_600],
    ['the window’s length, by draft 7', { 'ratelimit-policy': '100;w=60', ratelimit: 'limit=100, remaining=0, reset=60000' }, 60_000],
    ['a delay that says the same', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '57600', 'retry-after': '58' }, 57_600],
  ])('reads a reset as milliseconds by %s', (_title, headers, reset) => {
    expect(read(headers)).toMatchObject([{ remaining: 0, reset }]);
  });

  it.each<[title: string, headers: Record<string, string>, reset: number]>([
    ['no length of a window is known', { 'x-ratelimit-reset': '57600' }, 57_600_000],
    ['it is a second or two longer than the window', { 'x-ratelimit-limit': '100;w=60', 'x-ratelimit-reset': '62' }, 62_000],
    ['it exceeds the window either way', { 'x-ratelimit-limit': '100;w=10', 'x-ratelimit-reset': '57600' }, 57_600_000],
    [
      'the server asks for a delay of as many seconds',
      { 'x-ratelimit-limit': '100;w=60', 'x-ratelimit-reset': '600', 'retry-after': '600' },
      600_000,
    ],
    ['it is short, and more than the window by a block', { 'x-ratelimit-limit': '100;w=60', 'x-ratelimit-reset': '900' }, 900_000],
    ['a delay is short by chance', { 'x-ratelimit-reset': '900', 'retry-after': '1' }, 900_000],
    [
      'it is a moment, by a clock that differs',
      { 'x-ratelimit-limit': '100;w=60', 'x-ratelimit-reset': String(now / 1000 + 600) },
      600_000,
    ],
  ])('reads a reset as seconds where %s', (_title, headers, reset) => {
    expect(read({ 'x-ratelimit-remaining': '0', ...headers })).toMatchObject([{ remaining: 0, reset }]);
  });

  it('reads the named throttlers of NestJS, beside the one without a name', () => {
    const fields = (suffix: string, quota: number, remaining: number, reset: number) => ({
      [`X-RateLimit-Limit${suffix}`]: String(quota),
      [`X-RateLimit-Remaining${suffix}`]: String(remaining),
      [`X-RateLimit-Reset${suffix}`]: String(reset),
    });
    const headers = new Headers({ ...fields('', 10, 9, 1), ...fields('-medium', 20, 0, 7), ...fields('-long', 100, 80, 42) });
    expect(readRateLimit(headers, now)).toMatchObject([
      { quota: 10, remaining: 9, reset: 1000 },
      { name: 'long', quota: 100, remaining: 80, reset: 42_000 },
      { name: 'medium', quota: 20, remaining: 0, reset: 7000 },
    ]);
  });

  it.each([
    { 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-limit-requests': '60', 'x-ratelimit-reset-requests': '1' },
    { 'x-ratelimit-remaining-input-tokens': '59', 'x-ratelimit-limit-input-tokens': '60', 'x-ratelimit-reset-input-tokens': '60' },
    { 'x-ratelimit-remaining-minute': '59', 'x-ratelimit-limit-minute': '60' },
  ])('takes no part of %o for the windows of such throttlers', (fields) => {
    expect(readRateLimit(new Headers(fields), now)).toEqual([]);
  });

  it('reads moments against the clock of the server', () => {
    const serverNow = now - 600_000;
    const headers = { date: new Date(serverNow).toUTCString(), 'x-ratelimit-remaining': '0' };
    expect(read({ ...headers, 'x-ratelimit-reset': String(serverNow / 1000 + 30) })).toMatchObject([{ reset: 30_000 }]);
  });

  it.each([
    '"a";r=1;t=2,',
    '"a";r=1;t=2, "b',
    '"a";r=1;;t=2',
    '"a" r=1',
    'limit=1, remaining=, reset=5',
    '(((',
    '"ä";r=1;t=2',
    '',
    'unlimited',
    '"a";r="1"',
    '("a" "b");r=1',
  ])('ignores %j', (ratelimit) => {
    expect(readRateLimit({ get: (name) => (name === 'ratelimit' ? ratelimit : null) }, now)).toEqual([]);
  });

  it.each([
    ['"a";r=-1;t=2', { name: 'a', reset: 2000 }],
    ['"a";r=1.5;t=2', { name: 'a', reset: 2000 }],
    ['"a";r=1;t=-2', { name: 'a', remaining: 1 }],
    ['"a";r=1;t=99999', { name: 'a', remaining: 1 }],
    ['limit=-1, remaining=-1, reset=4', { reset: 4000 }],
  ])('takes what is out of range in %s for unknown', (ratelimit, window) => {
    expect(read({ ratelimit })).toEqual([window]);
  });

  it('takes no window of no length', () => {
    expect(read({ 'ratelimit-policy': '"a";q=5;w=0' })).toEqual([{ name: 'a', quota: 5 }]);
  });

  it('ignores a field over 4 KiB', () => {
    const padding = ' '.repeat(4096);
    expect(read({ ratelimit: `"a";r=1;t=5;x="${padding}"` })).toEqual([]);
    expect(readRateLimit({ get: (name) => (name === 'x-ratelimit-reset' ? `5${padding}` : null) }, now)).toEqual([]);
  });

  it('counts the first 16 of 600 policies', () => {
    const policies = Array.from({ length: 600 }, (_, index) => String(100 + index)).join();
    expect(read({ 'ratelimit-policy': policies })).toHaveLength(16);
    const items = Array.from({ length: 400 }, (_, index) => `a${String(index)};r=1`).join();
    const windows = read({ ratelimit: items, 'ratelimit-policy': policies });
    expect(windows).toHaveLength(16);
    expect(windows[15]).toEqual({ name: 'a15', remaining: 1 });
  });
});
