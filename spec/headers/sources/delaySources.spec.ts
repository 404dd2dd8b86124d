import { describe, expect, it } from 'vitest';
import type { DelaySource } from '../../../src/headers/DelaySource.js';
import { delaySources } from '../../../src/headers/sources/delaySources.js';
import providers from '../../vectors/providers.json' with { type: 'json' };
import retryAfterVectors from '../../vectors/retry-after.json' with { type: 'json' };

const now = providers.now;

function ask(source: DelaySource, headers: object): number | undefined {
  return source(new Headers(headers as Record<string, string>), now);
}

describe('delaySources', () => {
  it.each(providers.cases)('$source reads $headers as $ms ms', ({ source, headers, ms }) => {
    expect(ask(delaySources[source as keyof typeof delaySources], headers)).toBe(ms ?? undefined);
  });

  it.each(retryAfterVectors.cases)('retryAfter and retryAfterSeconds read $value: $why', ({ value, ms, seconds }) => {
    const headers = { get: (name: string) => (name === 'retry-after' ? value : null) };
    expect(delaySources.retryAfter(headers, retryAfterVectors.now)).toBe(ms ?? undefined);
    expect(delaySources.retryAfterSeconds(headers, retryAfterVectors.now)).toBe(seconds ?? undefined);
  });

  it.each(Object.entries(delaySources))('%s knows nothing where there is nothing', (_, source) => {
    expect(ask(source, { 'content-type': 'text/plain' })).toBeUndefined();
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(delaySources)).toBe(true);
  });
});

describe('delaySources.retryAfter', () => {
  const date = 'Wed, 21 Oct 2026 07:28:30 GMT';

  it('reads a date against the Date of the same response, since clocks disagree', () => {
    expect(ask(delaySources.retryAfter, { 'retry-after': date, date: 'Wed, 21 Oct 2026 07:28:20 GMT' })).toBe(10_000);
    expect(ask(delaySources.retryAfter, { 'retry-after': date, date: 'Wed, 21 Oct 2026 09:00:00 GMT' })).toBe(0);
  });

  it('reads it against our clock if that Date is malformed', () => {
    expect(ask(delaySources.retryAfter, { 'retry-after': date, date: '2026-10-21T07:28:20Z' })).toBe(30_000);
  });
});

describe('delaySources.nestThrottler', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'Retry-After-short': '3' }, 3000],
    [{ 'Retry-After-short': '3', 'Retry-After-long': '60' }, 60_000],
    [{ 'Retry-After-short': 'soon', 'Retry-After-long': '60' }, 60_000],
    [{ 'Retry-After-short': 'soon' }, undefined],
    [{ 'Retry-After-ms': '3' }, undefined],
    [{ 'Retry-After': '3' }, undefined],
  ])('reads %o as %s', (headers, ms) => {
    expect(ask(delaySources.nestThrottler, headers)).toBe(ms);
  });

  it('is asked by retryAfter where there is no Retry-After that can be read', () => {
    expect(ask(delaySources.retryAfter, { 'Retry-After-short': '3' })).toBe(3000);
    expect(ask(delaySources.retryAfter, { 'Retry-After-short': '3', 'Retry-After': '5' })).toBe(5000);
    expect(ask(delaySources.retryAfter, { 'Retry-After-short': '3', 'Retry-After': 'soon' })).toBe(3000);
  });
});

describe('delaySources.retryAfterMs', () => {
  it('asks for the next field if the first is no number', () => {
    expect(ask(delaySources.retryAfterMs, { 'retry-after-ms': 'soon', 'x-ms-retry-after-ms': '250' })).toBe(250);
    expect(ask(delaySources.retryAfterMs, { 'retry-after-ms': '100', 'x-ms-retry-after-ms': '250' })).toBe(100);
  });

  it.each(['', '1e3', '0x10', '+5', '.5', '5.', 'Infinity', '5, 5'])('refuses %j', (value) => {
    expect(ask(delaySources.retryAfterMs, { 'retry-after-ms': value })).toBeUndefined();
  });

  it('stays finite when the digits do not', () => {
    expect(ask(delaySources.retryAfterMs, { 'retry-after-ms': '9'.repeat(400) })).toBe(Number.MAX_VALUE);
  });
});

describe('delaySources.rateLimit', () => {
  it('waits for the last of the windows that are used up', () => {
    expect(ask(delaySources.rateLimit, { ratelimit: '"burst";r=0;t=60, "hour";r=0;t=1800, "day";r=5;t=86400' })).toBe(1_800_000);
  });

  it('has nothing to say about windows with something left, or an unknown rest', () => {
    expect(ask(delaySources.rateLimit, { ratelimit: '"burst";r=2;t=60' })).toBeUndefined();
    expect(ask(delaySources.rateLimit, { ratelimit: '"burst";r=-1;t=60' })).toBeUndefined();
    expect(ask(delaySources.rateLimit, { ratelimit: '"burst";r=0' })).toBeUndefined();
  });

  it.each([
    ['draft 7', { ratelimit: 'limit=10, remaining=0, reset=5' }],
    ['draft 6', { 'ratelimit-remaining': '0', 'ratelimit-reset': '5' }],
    ['X-RateLimit', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5' }],
  ])('reads %s', (_, headers) => {
    expect(ask(delaySources.rateLimit, headers)).toBe(5000);
  });
});

describe('delaySources.github', () => {
  const reset = (value: number, more: object = {}): object => ({
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(value),
    ...more,
  });

  it('takes a moment that has just passed for no wait', () => {
    expect(ask(delaySources.github, reset(now / 1000 - 5))).toBe(0);
  });

  it.each([45, now, now / 1000 + 86_401])('does not take another unit for seconds since 1970: %d', (value) => {
    expect(ask(delaySources.github, reset(value))).toBeUndefined();
  });

  it('reads the moment against the clock of the server', () => {
    expect(ask(delaySources.github, reset(now / 1000 + 45, { date: new Date(now + 15_000).toUTCString() }))).toBe(30_000);
  });
});

describe('delaySources.openai', () => {
  it('waits for the longer of two limits that are used up', () => {
    const both = { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' };
    const used = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-remaining-tokens': '0' };
    expect(ask(delaySources.openai, { ...both, ...used })).toBe(360_000);
    expect(ask(delaySources.openai, { ...both, ...used, 'x-ratelimit-remaining-tokens': '9' })).toBe(1000);
    expect(ask(delaySources.openai, both)).toBeUndefined();
    expect(ask(delaySources.openai, { ...used, 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-reset-tokens': '1s' })).toBe(360_000);
  });
});

describe('delaySources.anthropic', () => {
  it.each(['requests', 'tokens', 'input-tokens', 'output-tokens'])('reads the limit of %s', (kind) => {
    const headers = { [`anthropic-ratelimit-${kind}-remaining`]: '0', [`anthropic-ratelimit-${kind}-reset`]: '2026-10-21T07:28:10Z' };
    expect(ask(delaySources.anthropic, headers)).toBe(10_000);
  });

  it('waits for the latest of the limits that are used up, and no time for one that has passed', () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-10-21T07:00:00Z',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2026-10-21T09:28:30+02:00',
    };
    expect(ask(delaySources.anthropic, headers)).toBe(30_000);
    expect(ask(delaySources.anthropic, { ...headers, 'anthropic-ratelimit-output-tokens-remaining': '1' })).toBe(0);
  });
});
