import { distinctUntilChanged, map, type Observable, Subject, startWith } from 'rxjs';
import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import { elapsed } from '../time.js';
import { BreakerCircuit, type BreakerState, type SampledFailures } from './BreakerCircuit.js';
import { destinationOf } from './destinationOf.js';
import type { Ask, Limiter } from './Limiter.js';
import { once } from './once.js';
import { outcomeKind } from './outcomeKind.js';
import { RecentMap } from './RecentMap.js';
import { queued } from './queue/LimiterQueue.js';

const MAX_ORIGINS = 256;
/** Names that other breakers have for an option. */
const ELSEWHERE = { resetTimeout: 'openFor', breakDuration: 'openFor', timeout: 'openFor', threshold: 'consecutive' };

/** When a circuit opens, and for how long. */
export interface CircuitBreakerOptions {
  /** Failures in a row after which the breaker opens; 5 by default, `Infinity`: never. */
  readonly consecutive?: number | undefined;
  /** Share of failed requests at which the breaker opens; half of at least 20 in 30 s by default, field by field. */
  readonly sampled?: Partial<SampledFailures> | undefined;
  /** How long it stays open, in ms, doubled each time that the probe fails, at most 4 times as long; 1500 by default: 6 s at most. */
  readonly openFor?: number | undefined;
  /** Draws from 0 up to 1, for the jitter of the open times (half to the whole of them); `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

/** A limiter that holds requests back from an origin that fails. */
export interface CircuitBreaker extends Limiter {
  /** The state of an origin's circuit, now and at every change. */
  state$(url: string): Observable<BreakerState>;
}

/**
 * Opens an origin's circuit when its server fails, and asks again by single probes. Open is a wait, not an error: asks wait for the probe
 * (the `wait` event has `source: 'breaker'`); those whose deadline comes before it are refused at once.
 *
 *     closed     requests pass; failures in a row, or their share, open it
 *     open       nothing passes for a jittered time
 *     half-open  one probe: its success closes the circuit, its failure opens it for longer
 *
 * Failures are 5xx, no answer, and 429s without a quota hint; 429s with one are the gate's affair, and what was sent before the circuit
 * last opened says nothing any more. A probe that is given up hands its turn on. In `allOf` the probe is the last thing taken, when gate and
 * slots are ready.
 *
 * Its longest open time is about that of others (Polly and Hystrix: 5 s); short first ones end short troubles sooner. Whoever waited goes
 * when the circuit closes: join an `adaptiveConcurrency` where that is too many at once.
 *
 * @example
 * const breaker = circuitBreaker({ consecutive: 3 });
 * breaker.state$('https://api.example.com').subscribe((state) => console.log(state)); // closed
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  checkKeys(() => 'circuitBreaker', options, ['consecutive', 'sampled', 'openFor', 'random'], ELSEWHERE);
  checkKeys(() => 'circuitBreaker: sampled', options.sampled ?? {}, ['share', 'least', 'window']);
  const { consecutive = 5, openFor = 1500, random = Math.random } = options;
  const sampled = { share: 0.5, least: 20, window: 30_000, ...options.sampled };
  if (!(sampled.share <= 1)) throw new UsageError(`circuitBreaker: share is ${sampled.share}; pass a number above 0, at most 1`);
  for (const [name, value] of Object.entries({ consecutive, openFor, ...sampled })) {
    if (!(value > 0)) throw new UsageError(`circuitBreaker: ${name} is ${value}; pass a number above 0`);
  }
  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const moved$ = new Subject<void>();
  const circuits = new RecentMap<BreakerCircuit>(MAX_ORIGINS);

  /** Only what is sent is remembered: asking about an origin drops no other. */
  function circuitOf(ask: Ask): BreakerCircuit {
    return circuits.get(destinationOf(ask)) ?? new BreakerCircuit({ consecutive, sampled, openFor, random });
  }

  return queued({
    changed$: changed$.asObservable(),
    delayed$: delayed$.asObservable(),
    line: destinationOf,
    check: (ask) => circuitOf(ask).check(elapsed()),
    estimate: (ask) => {
      const delay = circuitOf(ask).check(elapsed());
      return delay > 0 ? { source: 'breaker', delay, least: delay < Infinity ? delay : 0 } : undefined;
    },
    take: (ask) => {
      const circuit = circuits.use(destinationOf(ask), circuitOf(ask));
      const pass = circuit.take(elapsed());
      if (pass.probe) moved$.next();
      return once({
        settle: (outcome) => {
          const before = circuit.state;
          circuit.settle(pass, outcomeKind(outcome), elapsed());
          if (circuit.state === 'open' && before !== 'open') delayed$.next();
          changed$.next();
          moved$.next();
          return undefined;
        },
      });
    },
    state$: (url) =>
      moved$.pipe(
        startWith(undefined),
        map(() => circuitOf({ url }).state),
        distinctUntilChanged(),
      ),
  });
}
