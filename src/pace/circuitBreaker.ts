import { distinctUntilChanged, map, type Observable, Subject, startWith } from 'rxjs';
import { checkOptions, FUNCTION, isPositive, type OptionTable, POSITIVE } from '../request/checkOptions.js';
import { elapsed } from '../time.js';
import { BreakerCircuit, type BreakerState } from './BreakerCircuit.js';
import { destinationOf } from './keys.js';
import type { Ask, Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { outcomeKind } from './outcomes.js';
import { MAX_ORIGINS, RecentMap } from './RecentMap.js';
import { queued } from './queue/LimiterQueue.js';

/** Options under their names in cockatiel, opossum and resilience4j, where these differ from Polly's. */
const ELSEWHERE = {
  breaker: 'consecutiveFailures, or failureRatio',
  consecutive: 'consecutiveFailures',
  duration: 'samplingDuration',
  errorThresholdPercentage: 'failureRatio, from 0 to 1',
  failureRateThreshold: 'failureRatio, from 0 to 1',
  halfOpenAfter: 'breakDuration',
  minimumNumberOfCalls: 'minimumThroughput',
  resetTimeout: 'breakDuration',
  rollingCountTimeout: 'samplingDuration',
  threshold: 'failureRatio',
  timeout: 'breakDuration',
  volumeThreshold: 'minimumThroughput',
  waitDurationInOpenState: 'breakDuration',
};

/** Conditions under which a circuit opens, and the time for which it stays open. */
export interface CircuitBreakerOptions {
  /** Failures in a row after which the breaker opens; 5 by default, `Infinity`: never. */
  readonly consecutiveFailures?: number | undefined;
  /** Share of failed requests at which the breaker opens, above 0, at most 1; 0.5 by default. */
  readonly failureRatio?: number | undefined;
  /** Fewest requests within `samplingDuration` from which `failureRatio` is concluded; 20 by default. */
  readonly minimumThroughput?: number | undefined;
  /** Time over which `failureRatio` is measured, in ms; 30,000 by default. */
  readonly samplingDuration?: number | undefined;
  /** Time for which the breaker stays open, in ms, doubled by each failed probe up to 4 times as long; 1,500 by default: 6 s at most. */
  readonly breakDuration?: number | undefined;
  /** Draws from 0 up to 1, for the jitter of the open times (half to the whole of them); `Math.random` by default. */
  readonly random?: (() => number) | undefined;
}

const OPTIONS: OptionTable<CircuitBreakerOptions> = {
  rules: {
    consecutiveFailures: POSITIVE,
    failureRatio: [(value) => isPositive(value) && value <= 1, 'a number above 0, at most 1'],
    minimumThroughput: POSITIVE,
    samplingDuration: POSITIVE,
    breakDuration: POSITIVE,
    random: FUNCTION,
  },
  elsewhere: ELSEWHERE,
};

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
 * Failures are 5xx, no answer, and 429s without a quota hint; 429s with one concern the gate alone, and requests that were sent before the
 * circuit last opened prove nothing any more. A probe that is given up hands its turn on. In `allOf` the probe is the last thing taken,
 * when gate and slots are ready.
 *
 * The longest open time is about that of other libraries (Polly and Hystrix: 5 s); shorter first ones end short outages sooner. All waiting
 * requests go when the circuit closes: join an `adaptiveConcurrency` where that is too many at once.
 *
 * @example
 * const breaker = circuitBreaker({ consecutiveFailures: 3 });
 * breaker.state$('https://api.example.com').subscribe((state) => console.log(state)); // closed
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  checkOptions('circuitBreaker', options, OPTIONS);
  const rules = {
    consecutiveFailures: options.consecutiveFailures ?? 5,
    failureRatio: options.failureRatio ?? 0.5,
    minimumThroughput: options.minimumThroughput ?? 20,
    samplingDuration: options.samplingDuration ?? 30_000,
    breakDuration: options.breakDuration ?? 1500,
  };
  const circuitRules = { ...rules, random: options.random ?? Math.random };
  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const moved$ = new Subject<void>();
  const circuits = new RecentMap<BreakerCircuit>(MAX_ORIGINS);

  /** An origin is remembered when a request is sent: asking about one drops no other. */
  function circuitOf(ask: Ask): BreakerCircuit {
    return circuits.get(destinationOf(ask)) ?? new BreakerCircuit(circuitRules);
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
      return makePermit({
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
