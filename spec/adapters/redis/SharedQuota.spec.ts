import { delay, NEVER, type Observable, Subscription, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Ledger, Observation } from '../../../src/adapters/redis/Ledger.js';
import { LocalLedger } from '../../../src/adapters/redis/LocalLedger.js';
import { quotaLimiter, type QuotaLimiterParts } from '../../../src/adapters/redis/quotaLimiter.js';
import { RedisWatch } from '../../../src/adapters/redis/RedisWatch.js';
import { acquire } from '../../../src/pace/acquire.js';
import type { Hold, Outcome, Permit } from '../../../src/pace/Limiter.js';
import { virtualTime } from '../../../src/simulate/virtualTime.js';
import { elapsed, wait } from '../../../src/time.js';

const ASK = { url: 'https://api.test/' };
const known = { quota: 30, window: 60_000, remaining: 30, ends: 60_000 };

function limiterOf(ledger: Ledger, options: Partial<QuotaLimiterParts> = {}) {
  return quotaLimiter({
    ledgerOf: () => ledger,
    watch: new RedisWatch(() => new Promise(() => undefined)),
    client: 'a',
    clients: 1,
    configured: {},
    policy: undefined,
    silence: 50,
    random: () => 0.5,
    notify: () => undefined,
    ...options,
  });
}

/** A ping that is answered at once: promises do not settle in virtual time. */
const answering = () => ({ then: (answered: (reply: string) => void) => answered('PONG') }) as Promise<string>;

const silent: Ledger = { lease: () => NEVER, learn: () => NEVER };

function rateLimit(remaining: number, reset: number, more: Record<string, string> = {}) {
  return new Headers({ 'ratelimit-policy': '"a";q=30;w=60', ratelimit: `"a";r=${remaining};t=${reset}`, ...more });
}

describe('SharedQuota', () => {
  it('is local when its ledger has been silent for 50 ms, and a tick', () => {
    const told: [number, string][] = [];
    let granted = Infinity;
    virtualTime(() => {
      const limiter = limiterOf(silent, { notify: ({ type }) => told.push([elapsed(), type]) });
      acquire(limiter, ASK).subscribe(() => (granted = elapsed()));
    });
    expect(granted).toBe(50);
    expect(told).toEqual([[50, 'local']]);
  });

  it('is local at once when its ledger fails', () => {
    const told: unknown[] = [];
    const failing: Ledger = { lease: () => throwError(() => 'gone'), learn: () => NEVER };
    let granted = Infinity;
    virtualTime(() => {
      const limiter = limiterOf(failing, { notify: (event) => told.push(event) });
      acquire(limiter, ASK).subscribe(() => (granted = elapsed()));
    });
    expect(granted).toBe(0);
    expect(told).toEqual([{ type: 'local', origin: 'https://api.test', error: 'gone', clients: 1 }]);
  });

  it('leaves no timer when the last ask is withdrawn', () => {
    const end = virtualTime(() => {
      const waiting = acquire(limiterOf(silent), ASK).subscribe();
      wait(20).subscribe(() => waiting.unsubscribe());
    });
    expect(end).toBe(20);
  });

  it('gives back what it has not used when the last permit is released', () => {
    let left: number | undefined;
    virtualTime(() => {
      const ledger = new LocalLedger(known, 1, () => 0);
      const limiter = limiterOf(ledger);
      const held = new Subscription();
      // The last lease is for as many as are in flight: more than are wanted after all.
      for (let i = 0; i < 5; i++) held.add(acquire(limiter, ASK).subscribe());
      wait(5).subscribe(() => held.unsubscribe());
      const ask = { client: 'b', call: 1, need: 0, unsent: 0, windowId: 0, margin: 0, probeTimeout: 0 };
      wait(10).subscribe(() => ledger.lease(ask).subscribe(({ remaining }) => (left = remaining)));
    });
    expect(left).toBe(25);
  });

  it('holds everybody until the delay that a 429 asks for, whatever a policy says', () => {
    const granted: number[] = [];
    const answer = { status: 429, headers: rateLimit(0, 7, { 'retry-after': '7' }), error: new Error('429') };
    let hold: Hold | undefined;
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      acquire(limiter, ASK).subscribe((permit) => {
        hold = permit.settle(answer);
        permit.release();
      });
      acquire(limiter, ASK).subscribe(() => granted.push(elapsed()));
    });
    expect(hold).toMatchObject({ counted: true, refusal: { at: 0, delay: 7000, until: 7000, binding: true, answer } });
    expect(granted).toEqual([7000]);
  });

  it.each<[string, Outcome]>([
    ['a 403 that its caller takes for a rate limit', { status: 403, limited: true, headers: rateLimit(0, 7, { 'retry-after': '7' }) }],
    ['a 429 that announces no quota', { status: 429, headers: new Headers({ 'retry-after': '7' }) }],
    ['a 429 whose delay its caller has read from a field of its own', { status: 429, headers: new Headers(), delay: 7000 }],
    ['a 429 of which its caller has read another delay', { status: 429, headers: new Headers({ 'retry-after': '60' }), delay: 7000 }],
  ])('holds everybody after %s', (_, answer) => {
    let until: number | undefined;
    const granted: number[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      acquire(limiter, ASK).subscribe((permit) => {
        until = permit.settle(answer)?.refusal.until;
        permit.release();
      });
      acquire(limiter, ASK).subscribe(() => granted.push(elapsed()));
    });
    expect([until, granted]).toEqual([7000, [7000]]);
  });

  it('holds nobody after an answer that is none', () => {
    const holds: unknown[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      for (const outcome of ['unknown', { status: 0 }, { status: 503 }, { status: 200 }] as const)
        acquire(limiter, ASK).subscribe((permit) => holds.push(permit.settle(outcome)));
    });
    expect(holds).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('waits 1, 2, 4 s with jitter where the server does not say how long, from 1 s again after a success', () => {
    const waits: number[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger({}, 1, () => 0));
      const statuses = [429, 429, 429, 200, 429];
      const send = (): void => {
        const status = statuses.shift();
        if (status === undefined) return;
        acquire(limiter, ASK)
          .pipe(take(1))
          .subscribe((permit) => {
            const hold = permit.settle({ status });
            if (hold) waits.push(hold.refusal.until - elapsed());
            permit.release();
            send();
          });
      };
      send();
    });
    expect(waits).toEqual([750, 1500, 3000, 750]);
  });

  it('believes a zero once: a second one in a row is waited out like a missing delay', () => {
    const waits: number[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger({}, 1, () => 0));
      const send = (left: number): void => {
        if (left === 0) return;
        acquire(limiter, ASK)
          .pipe(take(1))
          .subscribe((permit) => {
            const hold = permit.settle({ status: 429, headers: new Headers({ 'retry-after': '0' }) });
            if (hold) waits.push(hold.refusal.until - elapsed());
            permit.release();
            send(left - 1);
          });
      };
      send(3);
    });
    expect(waits).toEqual([0, 750, 1500]);
  });

  it('can only be held for longer by a second 429', () => {
    const holds: (number | undefined)[] = [];
    const granted: number[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      const permits: Permit[] = [];
      for (let n = 0; n < 2; n++) acquire(limiter, ASK).subscribe((permit) => permits.push(permit));
      ['9', '4'].forEach((seconds, n) => {
        const hold = permits[n]?.settle({ status: 429, headers: new Headers({ 'retry-after': seconds }) });
        holds.push(hold?.refusal.until);
      });
      permits.forEach((permit) => permit.release());
      acquire(limiter, ASK).subscribe(() => granted.push(elapsed()));
    });
    expect(holds).toEqual([9000, 9000]);
    expect(granted).toEqual([9000]);
  });

  it('uses no permit that comes when a 429 has closed the gate', () => {
    const sent: number[] = [];
    virtualTime(() => {
      const ledger = new LocalLedger(known, 1, () => 0);
      const slow: Ledger = {
        lease: (ask) => ledger.lease(ask).pipe(delay(20)),
        learn: (observation) => ledger.learn(observation).pipe(delay(20)),
      };
      const limiter = limiterOf(slow);
      const answer = (status: number) => (permit: Permit) => {
        sent.push(elapsed());
        wait(10).subscribe(() => {
          permit.settle({ status, headers: rateLimit(0, 7, { 'retry-after': '7' }) });
          permit.release();
        });
      };
      acquire(limiter, ASK).subscribe(answer(429));
      // Asks for the next lease, on whose way the answer comes.
      wait(25).subscribe(() => [1, 2].forEach(() => acquire(limiter, ASK).subscribe(answer(200))));
    });
    expect(sent[0]).toBe(20);
    expect(sent[1]).toBeGreaterThanOrEqual(7030);
  });

  it('keeps its own account though Redis answers pings, as long as it leases nothing', () => {
    const told: string[] = [];
    const sent: number[] = [];
    virtualTime(() => {
      const broken: Ledger = { lease: () => throwError(() => 'READONLY'), learn: () => throwError(() => 'READONLY') };
      const watch = new RedisWatch(answering);
      const limiter = limiterOf(broken, { watch, configured: known, notify: ({ type }) => told.push(type) });
      for (let i = 0; i < 70; i++) {
        acquire(limiter, ASK).subscribe((permit) => {
          sent.push(elapsed());
          permit.settle({ status: 200, headers: new Headers() });
          permit.release();
        });
      }
    });
    expect(told).toEqual(['local']);
    for (const window of [0, 60_000, 120_000])
      expect(sent.filter((at) => at >= window && at < window + 60_000).length).toBeLessThanOrEqual(30);
    expect(sent.at(-1)).toBeLessThan(130_000);
  });

  it('is local when Redis leases but does not learn', () => {
    const told: unknown[] = [];
    const sent: number[] = [];
    virtualTime(() => {
      const ledger = new LocalLedger({}, 1, () => 0);
      const full: Ledger = { lease: (ask) => ledger.lease(ask), learn: () => throwError(() => 'OOM') };
      const limiter = limiterOf(full, { watch: new RedisWatch(answering), notify: (event) => told.push(event) });
      let left = 30;
      for (let i = 0; i < 20; i++) {
        acquire(limiter, ASK).subscribe((permit) => {
          sent.push(elapsed());
          wait(5).subscribe(() => {
            permit.settle({ status: 200, headers: rateLimit(--left, 60) });
            permit.release();
          });
        });
      }
    });
    expect(sent.at(-1)).toBeLessThan(1000);
    expect(told).toEqual([{ type: 'local', origin: 'https://api.test', error: 'OOM', clients: 1 }]);
  });

  it('counts no retry for the first request of a window, which looks whether there is any quota', () => {
    let hold: Hold | undefined;
    virtualTime(() => {
      acquire(limiterOf(new LocalLedger({}, 1, () => 0)), ASK).subscribe((permit) => {
        hold = permit.settle({ status: 429, headers: rateLimit(0, 7) });
      });
    });
    expect(hold).toMatchObject({ counted: false, refusal: { until: 7000 } });
  });

  it('uses no permit in the last second of its window, not even one that it has', () => {
    const granted: number[] = [];
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      const ask = (): void => {
        acquire(limiter, ASK).subscribe(() => granted.push(elapsed()));
      };
      // The third lease is of two.
      wait(58_990).subscribe(() => [1, 2, 3].forEach(ask));
      wait(59_010).subscribe(ask);
    });
    expect(granted).toEqual([58_990, 58_990, 58_990, 60_000]);
  });

  it('tells what answers have taught together with the next lease', () => {
    const observations: [number, Observation][] = [];
    virtualTime(() => {
      const ledger = new LocalLedger(known, 1, () => 0);
      const listening: Ledger = {
        lease: (ask) => ledger.lease(ask),
        learn: (observation): Observable<void> => {
          observations.push([elapsed(), observation]);
          return ledger.learn(observation);
        },
      };
      const limiter = limiterOf(listening);
      const permits: Permit[] = [];
      for (let i = 0; i < 3; i++) acquire(limiter, ASK).subscribe((permit) => permits.push(permit));
      wait(20).subscribe(() => permits.forEach((permit, i) => permit.settle({ status: 200, headers: rateLimit(25 - i, 50) })));
    });
    expect(observations).toEqual([[120, { sentAgo: 120, quota: 30, window: 60_000, remaining: 23, endsIn: 49_900, hint: undefined }]]);
  });

  it('refuses at once what its deadline does not allow, with the arithmetic', () => {
    let failure: unknown;
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger({ ...known, remaining: 0 }, 1, () => 0));
      acquire(limiter, { ...ASK, deadline: 20_000 }).subscribe({ error: (error: unknown) => (failure = error) });
    });
    expect(failure).toMatchObject({
      name: 'DeadlineError',
      message:
        'The deadline cannot be kept for https://api.test/: 1 request x 1 client - 0 left, at 30 per 60 s, take 1 more window; ' +
        'the turn comes in 60 s, and 20 s are left',
    });
  });

  it('refuses at once what maxWait does not allow', () => {
    let failure: unknown;
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger({ ...known, remaining: 0 }, 1, () => 0));
      acquire(limiter, { ...ASK, maxWait: 20_000 }).subscribe({ error: (error: unknown) => (failure = error) });
    });
    expect(failure).toMatchObject({ name: 'LimiterError', reason: 'max-wait' });
  });

  it('names the 429 that closed the gate as the cause of what it refuses', () => {
    const error = new Error('429');
    let failure: unknown;
    virtualTime(() => {
      const limiter = limiterOf(new LocalLedger(known, 1, () => 0));
      acquire(limiter, ASK).subscribe((permit) => {
        permit.settle({ status: 429, headers: rateLimit(0, 30, { 'retry-after': '30' }), error });
        permit.release();
      });
      acquire(limiter, { ...ASK, deadline: 20_000 }).subscribe({ error: (refused: unknown) => (failure = refused) });
    });
    expect(failure).toMatchObject({ name: 'DeadlineError', cause: error });
  });
});
