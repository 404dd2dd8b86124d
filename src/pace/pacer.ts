import { Subject } from 'rxjs';
import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import { elapsed } from '../time.js';
import { gateOutlook } from './gateOutlook.js';
import type { Ask, Limiter, Outlook } from './Limiter.js';
import { OriginPacer } from './OriginPacer.js';
import { quotaKeys } from './quotaKeys.js';
import { RecentMap } from './RecentMap.js';
import { once } from './once.js';

/** What a pacer may be told. */
export interface PacerOptions {
  /** The longest wait that a server may ask for, in ms; 15 minutes by default. Asked for more, all who wait fail with that 429. */
  readonly maxHint?: number | undefined;
  /** How many origins are remembered, the least recently used are forgotten; 256 by default. */
  readonly maxOrigins?: number | undefined;
  /** Draws from 0 up to 1; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

/**
 * Holds the line before the server has to say no: a limiter that learns each origin's quota from the answers, and finds this client's
 * share of it though the others are unknown.
 *
 * A 429 closes the origin's gate for every request, the waiting ones too, until its full hint; later ones can only raise it. How a window is
 * shared is told at `WindowPacer`: after a window opens every client sends one request, at a random moment of the first slot; how far
 * `remaining` has fallen by then is its number in this roll call. In the next slot they take their parts in the reverse order, so that each
 * knows how many are still to come; what others leave is looked for only near the end of the work, and against a small credit. A client
 * that is alone skips this. Where no quota is announced, or what is announced has proved wrong, it is a plain gate, opened by one request,
 * and then by twice as many each round trip.
 *
 * It keeps what it has learned by origin, credential and policy name: share it between clients by passing the same one. It reads
 * `RateLimit` and `RateLimit-Policy` (IETF drafts 6 to 10), `X-RateLimit-*` and `Retry-After`. A 429 that does not say how long to wait, or
 * says 0 for the second time, is given 1 s x 2^k with jitter, at most 60 s.
 *
 * @example
 * const limiter = pacer();
 * from(files).pipe(mergeMap((file) => upload(file).pipe(limitWith(limiter, { url })), 10));
 */
export function pacer(options: PacerOptions = {}): Limiter {
  checkKeys(() => 'pacer', options, ['maxHint', 'maxOrigins', 'random'], { maxWait: 'pace: { maxWait } of a client' });
  const { maxHint = 900_000, maxOrigins = 256, random = Math.random } = options;
  if (!(maxHint >= 0)) throw new UsageError(`pacer: maxHint is ${maxHint}; pass milliseconds, 0 or more`);
  if (!(maxOrigins >= 1)) throw new UsageError(`pacer: maxOrigins is ${maxOrigins}; pass 1 or more`);

  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const origins = new RecentMap<OriginPacer>(maxOrigins);
  const keyOf = quotaKeys();

  /** Only what is sent is remembered: asking about an origin drops no other. */
  function pacerFor(ask: Ask): OriginPacer {
    return origins.get(keyOf(ask)) ?? new OriginPacer(random, maxHint, () => delayed$.next());
  }

  return {
    changed$: changed$.asObservable(),
    delayed$: delayed$.asObservable(),
    line: keyOf,
    check: (ask, waiting = 1) => pacerFor(ask).check(elapsed(), waiting),
    outlook: (ask, ahead) => outlook(pacerFor(ask), ask, ahead, elapsed()),
    take: (ask) => {
      const origin = origins.use(keyOf(ask), pacerFor(ask));
      const turns = origin.take(elapsed());
      return once({
        settle: (outcome) => {
          const claim = origin.settle(turns, elapsed(), outcome);
          changed$.next();
          return claim;
        },
      });
    },
  };
}

/** When the turn of an ask comes. */
function outlook(origin: OriginPacer, ask: Ask, ahead: number, now: number): Outlook {
  const refusal = origin.refusal(now);
  if (refusal !== undefined) return { source: 'gate', delay: Infinity, refusal };
  const windows = [...origin.windows].map((window) => ({
    quota: window.facts.quota,
    window: window.facts.window,
    remaining: window.remaining(now),
    ends: window.ends,
    clients: window.clients,
  }));
  return gateOutlook(ask, ahead, now, origin.gate(), windows);
}
