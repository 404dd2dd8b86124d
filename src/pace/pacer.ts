import { Subject } from 'rxjs';
import { checkOptions, FROM_1, FUNCTION, MILLISECONDS, type OptionTable } from '../request/checkOptions.js';
import { elapsed } from '../time.js';
import type { Ask, Hold, Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import type { OriginPacer } from './OriginPacer.js';
import { OriginQuotas } from './OriginQuotas.js';
import { quotaKeys } from './keys.js';
import { MAX_ORIGINS, RecentMap } from './RecentMap.js';
import { queued } from './queue/LimiterQueue.js';
import { MAX_HINT } from '../request/defaults.js';

/** Options of a {@link pacer}. */
export interface PacerOptions {
  /**
   * Longest wait that a server may ask for, in ms; 15 minutes by default. Asks without a policy of their own (`limitWith`, `acquire`) that would
   * wait for longer fail with a `LimiterError`. A client's requests go by the `maxHint` of their policy. A longer reset on a success is ignored
   * for a server that has never refused, before one request has found out.
   */
  readonly maxHint?: number | undefined;
  /** Most origins that are remembered, the most recently used; 256 by default. */
  readonly maxOrigins?: number | undefined;
  /** Requests that are sent to an origin before its first response has come; 1 by default, 6 in `createClient`. */
  readonly initial?: number | undefined;
  /** Draws from 0 up to 1; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

const OPTIONS: OptionTable<PacerOptions> = {
  rules: { maxHint: MILLISECONDS, maxOrigins: FROM_1, initial: FROM_1, random: FUNCTION },
  elsewhere: { maxWait: 'pace: { maxWait } of a client' },
};

/**
 * A limiter that holds requests back before the server refuses them: it learns each origin's quota from the responses, and finds this
 * client's share of it, although the other clients are unknown.
 *
 * A 429 closes a gate, for the waiting requests too. The gate holds the requests that share the quota, where the response announces one; else
 * those of its route (the path up to the first segment that looks like an id), and those of the origin once a second route has been refused
 * meanwhile. It opens by one request, the probe, and then by twice as many each round trip. An ask's own policy says when it may probe (see
 * `Ask.plan`); without one, when the server said, else after 1 s x 2^k with jitter, at most 60 s. A second zero in a row does not count.
 *
 * An announced quota that is used up holds until its reset, whatever a policy says. `WindowPacer` describes how the clients share a window.
 *
 * It keeps what it has learned by origin, credential and policy name: share it between clients by passing the same one. It reads
 * `RateLimit` and `RateLimit-Policy` (IETF drafts 6 to 10), `X-RateLimit-*` and `Retry-After`. Where responses name their quota by
 * `x-ratelimit-resource` (GitHub's `core`, `search`, ...), it holds only requests of the routes whose responses named it, and of new routes
 * beside two such routes under one path, if all of these agree.
 *
 * A server that announces on a success that nothing remains for longer than `maxHint`, and has never refused, is not obeyed at once: one
 * request finds out. If it passes, the field is ignored until a 429 says 0.
 *
 * @example
 * const limiter = pacer();
 * from(files).pipe(mergeMap((file) => upload(file).pipe(limitWith(limiter, { url })), 10));
 */
export function pacer(options: PacerOptions = {}): Limiter {
  checkOptions('pacer', options, OPTIONS);
  const { maxHint = MAX_HINT, maxOrigins = MAX_ORIGINS, initial = 1, random = Math.random } = options;
  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const origins = new RecentMap<OriginQuotas>(maxOrigins, undefined, (quotas) => quotas.isHolding(elapsed()));
  const keyOf = quotaKeys();

  /** An origin is remembered when a request is sent: asking about one drops no other. */
  function quotasFor(ask: Ask): OriginQuotas {
    return origins.get(keyOf(ask).quota) ?? new OriginQuotas({ random, maxHint, initial, delayed: () => delayed$.next() });
  }

  function pacerFor(ask: Ask): OriginPacer {
    return quotasFor(ask).pacerOf(keyOf(ask).route);
  }

  function lineOf(ask: Ask): string {
    const { quota, route } = keyOf(ask);
    return `${quota} ${origins.get(quota)?.resourceOf(route) ?? ''}`;
  }

  function withdraw(hold: Hold): void {
    hold.withdraw();
    changed$.next();
  }

  return queued({
    isGate: true,
    changed$: changed$.asObservable(),
    delayed$: delayed$.asObservable(),
    line: lineOf,
    lane: (ask) => `${keyOf(ask).route} ${ask.waitsAs ?? ''}${ask.probe === false ? ' no probe' : ''}`,
    yields: (ask) => ask.probe === false && pacerFor(ask).isClosed(keyOf(ask).route),
    check: (ask, waiting = 1) => pacerFor(ask).check(ask, keyOf(ask).route, elapsed(), waiting),
    estimate: (ask, ahead) => pacerFor(ask).estimate(ask, keyOf(ask).route, ahead, elapsed()),
    take: (ask) => {
      const quotas = origins.use(keyOf(ask).quota, quotasFor(ask));
      const settle = quotas.take(keyOf(ask).route, elapsed());
      return makePermit({
        settle: (outcome) => {
          const hold = settle(outcome, elapsed());
          changed$.next();
          return hold && { ...hold, withdraw: () => withdraw(hold) };
        },
      });
    },
  });
}
