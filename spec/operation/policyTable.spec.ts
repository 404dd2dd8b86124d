import { array, constantFrom, nat, oneof, property } from 'fast-check';
import { tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  createClient,
  type DelaySource,
  delaySources,
  isHttpError,
  policies,
  type PolicyName,
  type RetryPolicy,
  type RetryReport,
  retryReport,
} from 'coldfetch';
import { type ScriptedReply, reply, scriptedFetch } from 'coldfetch/testing';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { forAll } from '../support/forAll.js';
import { type Sending, type WayIn, waysIn } from '../support/waysIn.js';

const URL = 'https://api.test/users/1';

/** The table of policies, as the README has it: times in ms, own backoffs with every draw 0.5. */
interface Row {
  /** Statuses that are retried beside 429. */
  readonly transient: readonly number[];
  /** Retries of 429s and of transient failures; together: one count for both. */
  readonly retries: { readonly throttled: number; readonly transient: number } | { readonly together: number };
  /** Waits for a `Retry-After` of 7 s, in seconds and as a date, after a 429 and after a 503. */
  readonly delay: { readonly seconds: number; readonly date: number; readonly on503: number };
  /** Wait for a `Retry-After` of 90 s. */
  readonly long: number | 'deadline';
  /** Own backoffs, in a row. */
  readonly backoff: readonly number[];
  readonly deadline: number;
  readonly timeout: number;
  /** True if a POST is sent again after a 429, and after a 503. */
  readonly post: readonly [throttled: boolean, transient: boolean];
}

const not501 = [408, 425, 500, 502, 503, 504, 505, 599];
const jitter = [500, 1000, 2000, 4000, 8000];
const doubling = [1000, 2000, 4000, 8000, 16_000];
const asAsked = { seconds: 7000, date: 7000, on503: 7000 };
const spread = { seconds: 7350, date: 7350, on503: 7350 };
const apart = { throttled: 5, transient: 3 };

const TABLE: Readonly<Record<PolicyName, Row>> = {
  standard: {
    ...{ transient: [408, 425, 500, 502, 503, 504], retries: apart, delay: asAsked, long: 60_000, backoff: jitter },
    ...{ deadline: Infinity, timeout: 30_000, post: [true, false] },
  },
  upload: {
    ...{ transient: [500, 501, 502, 503, 504, 505, 599], retries: apart, delay: { seconds: 7000, date: 1000, on503: 1000 } },
    ...{ long: 60_000, backoff: doubling, deadline: Infinity, timeout: 30_000, post: [true, true] },
  },
  api: {
    ...{ transient: [408, 500, 502, 503, 504], retries: { together: 3 }, delay: asAsked, long: 90_000, backoff: jitter.slice(0, 3) },
    ...{ deadline: 120_000, timeout: 30_000, post: [false, false] },
  },
  interactive: {
    ...{ transient: not501, retries: { together: 4 }, delay: spread, long: 'deadline', backoff: [250, 500, 1000, 2000] },
    ...{ deadline: 15_000, timeout: 10_000, post: [false, false] },
  },
  batch: {
    ...{ transient: not501, retries: { together: 3 }, delay: asAsked, long: 'deadline', backoff: [450, 750, 1350] },
    ...{ deadline: 30_000, timeout: 15_000, post: [false, false] },
  },
  patient: {
    ...{ transient: not501, retries: { throttled: Infinity, transient: 3 }, delay: spread, long: 91_500, backoff: jitter },
    ...{ deadline: 1_800_000, timeout: 30_000, post: [true, true] },
  },
};

const tooMany = (seconds?: number | string): ScriptedReply =>
  reply(429, { headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const sums = (delays: readonly number[]): number[] => delays.reduce((at, delay) => [...at, (at.at(-1) ?? 0) + delay], [0]);

/** Outcome of an operation. */
interface Outcome {
  readonly hits: readonly number[];
  readonly statuses: readonly number[];
  readonly error: unknown;
  readonly report: RetryReport | undefined;
}

/** Plays an operation to its end, or until the answers are used up; what they leave open hangs. */
function playBy(send: WayIn, policy: RetryPolicy, answers: readonly ScriptedReply[], sending: Partial<Sending> = {}): Outcome {
  const statuses: number[] = [];
  let error: unknown;
  const fetch = scriptedFetch([...answers]);
  virtualTime(() => {
    const request$ = send({ url: URL, fetch, policy: { ...policy, random: () => 0.5 }, ...sending });
    request$.pipe(tap((status) => statuses.push(status))).subscribe({ error: (thrown: unknown) => (error = thrown) });
  });
  return { hits: fetch.requests.map(({ at }) => at), statuses, error, report: retryReport(error) };
}

describe.each(waysIn)('the table of policies, by %s', (_, send) => {
  const play = (policy: RetryPolicy, answers: readonly ScriptedReply[], sending: Partial<Sending> = {}): Outcome =>
    playBy(send, policy, answers, sending);

  describe.each(Object.keys(TABLE) as PolicyName[])('%s', (name) => {
    const policy = policies[name];
    const { transient, retries, delay, long, backoff, deadline, timeout, post } = TABLE[name];
    const throttledRetries = 'together' in retries ? retries.together : retries.throttled;
    const transientRetries = 'together' in retries ? retries.together : retries.transient;

    it.each([400, 401, 403, 404, 408, 409, 425, 429, 500, 501, 502, 503, 504, 505, 599])('takes a %d if the table has it', (status) => {
      const { hits, statuses, report } = play(policy, [status, 200]);
      const isTaken = status === 429 || transient.includes(status);
      expect([hits.length, statuses, report?.reason]).toEqual(isTaken ? [2, [200], undefined] : [1, [], 'terminal']);
    });

    it('takes a lost connection', () => {
      expect(play(policy, ['network', 200])).toMatchObject({ hits: [0, backoff[0]], statuses: [200] });
    });

    it('takes an attempt without progress, after its timeout', () => {
      expect(play(policy, ['hang', 200])).toMatchObject({ hits: [0, timeout + (backoff[0] ?? 0)], statuses: [200] });
    });

    it('counts failures as the table says', () => {
      const { hits, report } = play(policy, times(9, 503));
      expect([hits.length, report?.reason]).toEqual([transientRetries + 1, 'exhausted']);
      if (throttledRetries === Infinity) return;
      const throttled = play(policy, times(9, 429));
      expect([throttled.hits.length, throttled.report?.reason]).toEqual([throttledRetries + 1, 'exhausted']);
    });

    it('counts 429s and other failures apart, or together', () => {
      const few = Math.min(throttledRetries, 5);
      const { hits, statuses } = play(policy, [...times(few, 429), ...times(transientRetries, 503), 200]);
      if ('together' in retries) expect([hits.length, statuses]).toEqual([retries.together + 1, []]);
      else expect([hits.length, statuses]).toEqual([few + transientRetries + 1, [200]]);
    });

    it('heeds the server’s delay', () => {
      const date = 'Thu, 01 Jan 1970 00:00:07 GMT';
      expect(play(policy, [tooMany(7), 200]).hits).toEqual([0, delay.seconds]);
      expect(play(policy, [tooMany(date), 200]).hits).toEqual([0, delay.date]);
      expect(play(policy, [reply(503, { headers: { 'retry-after': '7' } }), 200]).hits).toEqual([0, delay.on503]);
      const { hits, report } = play(policy, [tooMany(90), 200]);
      expect(report?.reason ?? hits[1]).toBe(long);
    });

    it('backs off by itself where the server says nothing', () => {
      expect(play(policy, [...times(backoff.length, 429), 200]).hits).toEqual(sums(backoff));
      const few = backoff.slice(0, transientRetries);
      expect(play(policy, [...times(few.length, 503), 200]).hits).toEqual(sums(few));
    });

    it('ends by its deadline', () => {
      expect(policy.deadline).toBe(deadline);
      if (deadline === Infinity) return;
      const before = play(policy, [tooMany(deadline / 1000 - 4), 200]);
      expect(before.statuses).toEqual([200]);
      const behind = play(policy, [tooMany(deadline / 1000), 200]);
      expect(behind).toMatchObject({ hits: [0], error: { status: 429 }, report: { reason: 'deadline', elapsed: 0 } });
    });

    it('sends again what may be sent again', () => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
        expect([method, play(policy, [503, 200], { method }).statuses]).toEqual([method, [200]]);
      }
      const [throttled, failed] = post;
      for (const method of ['POST', 'PATCH']) {
        expect(play(policy, [429, 200], { method }).report?.reason).toBe(throttled ? undefined : 'not-replayable');
        expect(play(policy, [503, 200], { method }).report?.reason).toBe(failed ? undefined : 'not-replayable');
        expect(play(policy, [503, 200], { method, headers: { 'idempotency-key': '1' } }).statuses).toEqual([200]);
      }
    });
  });

  it('caps a delay of five minutes at a minute', () => {
    expect(play(policies.standard, [tooMany(300), 200]).hits).toEqual([0, 60_000]);
  });

  it('reads a delay by a source of the policy’s own', () => {
    const { throttled, transient } = policies.standard.rules;
    const tenths: DelaySource = (headers) => Number(headers.get('x-wait-tenths')) * 100;
    const by = (source: DelaySource): RetryPolicy => ({
      ...policies.standard,
      rules: { throttled: { ...throttled, sources: { source } }, transient },
    });
    expect(play(by(tenths), [reply(429, { headers: { 'x-wait-tenths': '200' } }), 200]).hits).toEqual([0, 20_000]);
    expect(play(by(delaySources.retryAfterMs), [reply(429, { headers: { 'retry-after-ms': '7000' } }), 200]).hits).toEqual([0, 7000]);
  });

  it('ends where the server asks for more than maxHint', () => {
    const { hits, error, report } = play({ ...policies.standard, maxHint: 10_000 }, [tooMany(60), 200]);
    expect([hits, isHttpError(error) && error.status, report?.reason]).toEqual([[0], 429, 'max-hint']);
  });

  it('ends 429s that never end with the 429 itself, and reports the waits', () => {
    const { hits, error, report } = play(policies.standard, times(9, tooMany(60)));
    expect(hits).toEqual([0, 60_000, 120_000, 180_000, 240_000, 300_000]);
    expect([isHttpError(error) && error.status, report]).toEqual([
      429,
      { attempts: 6, elapsed: 300_000, reason: 'exhausted', retries: { throttled: 5 }, waited: 300_000 },
    ]);
  });

  it('waits as long for failures that are mixed', () => {
    const mixed = [tooMany(), 503, tooMany(3), 'network', tooMany(), tooMany(0), tooMany(0), 200] as const;
    expect(play(policies.upload, mixed).hits).toEqual([0, 1000, 2000, 5000, 7000, 11_000, 11_000, 27_000]);
  });
});

const step = oneof(
  constantFrom<ScriptedReply>(200, 404, 408, 500, 503, 'network', 'hang'),
  nat(90).map((seconds) => tooMany(seconds)),
  constantFrom(tooMany(), tooMany(0), tooMany('Thu, 01 Jan 1970 00:00:30 GMT'), reply(503, { headers: { 'retry-after': '4' } })),
);

describe('a policy', () => {
  it.each(Object.keys(TABLE) as PolicyName[])('means the same in all ways in: %s', (name) => {
    forAll(
      property(array(step, { maxLength: 9 }), constantFrom('GET', 'POST'), (steps, method) => {
        const [first, ...others] = waysIn.map(([, send]) => {
          const { hits, statuses, report } = playBy(send, policies[name], [...steps, 200], { method });
          return { hits, statuses, report };
        });
        for (const other of others) expect(other).toEqual(first);
      }),
    );
  });
});

describe('a client as it comes', () => {
  it('holds no request of another route for a 429 that announces no quota', () => {
    const fetch = scriptedFetch([tooMany(30), 200, 200]);
    const statuses: unknown[] = [];
    virtualTime(() => {
      const http = createClient({ baseUrl: 'https://api.test', fetch, retry: { ...policies.interactive, random: () => 0 } });
      http.get('busy').subscribe({ error: () => undefined });
      http.get('users/1', { observe: 'response' }).subscribe(({ status }) => statuses.push(status));
    });
    expect([statuses, fetch.requests.map(({ at }) => at)]).toEqual([[200], [0, 0]]);
  });
});
