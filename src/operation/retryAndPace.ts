import { Observable } from 'rxjs';
import type { Limiter, ResponseOutcome } from '../pace/Limiter.js';
import { type LimiterQueue, requireQueue } from '../pace/queue/queues.js';
import { requireLimiter } from '../pace/queue/checkAsk.js';
import { checkOptions, FUNCTION, MILLISECONDS, NOT_NEGATIVE, type OptionTable } from '../request/checkOptions.js';
import type { Handler, Interceptor } from '../request/Handler.js';
import type { HeadersEvent, HttpEvent, RetryEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { COST, DEADLINE, PRIORITY, REQUEST_ID } from '../request/tokens.js';
import { type ResolvedPolicy, resolvePolicy } from '../retry/resolvePolicy.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import { anyFailure } from './anyFailure.js';
import { notifier } from './events.js';
import { operation } from './operation.js';
import { type Admitter, MAX_WAIT } from './OperationContext.js';
import { RETRY } from './RETRY.js';

/** Options of the wait for a client's limiter. */
export interface PaceOptions {
  /** Longest wait of an operation at the limiter, all its attempts together, in ms; 30 minutes by default. */
  readonly maxWait?: number | undefined;
  /** Most requests that may wait for one origin; more fail with a `LimiterError`. No bound by default. */
  readonly maxQueued?: number | undefined;
  /** Mark that tells apart callers with quotas of their own; by default a hash of the `authorization` field. */
  readonly credential?: ((request: HttpRequest) => string) | undefined;
  /**
   * Name of the quota that a request falls under, where you know it; by default all requests fall under the quotas that the origin
   * announces.
   */
  readonly policyName?: ((request: HttpRequest) => string | undefined) | undefined;
  /** Actual cost of a request, read from its response; corrects the expected `COST`. */
  readonly cost?: ((answer: HeadersEvent) => number | undefined) | undefined;
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;

const OPTIONS: OptionTable<PaceOptions> = {
  rules: { credential: FUNCTION, policyName: FUNCTION, cost: FUNCTION, maxWait: MILLISECONDS, maxQueued: NOT_NEGATIVE },
  // Names of options of a limiter or of retry, with their place.
  elsewhere: {
    concurrency: 'limiter: concurrency(n)',
    rate: 'limiter: tokenBucket({ rate })',
    maxHint: 'limiter: pacer({ maxHint })',
    initial: 'limiter: pacer({ initial })',
    deadline: 'deadline, beside pace',
  },
};

/**
 * Interceptor that owns the operation of a request: all its attempts, each admitted by the limiter, if there is one, with `wait` and `gave-up`
 * among its events. A request's own policy (`RETRY`) goes before the interceptor's, its `deadline` before that of the policy.
 *
 * Each attempt carries its number, and the deadline as a moment (`DEADLINE`); the policy's timeout goes down to the transport.
 *
 * @param input the policy, or the fields that differ from `policies.standard`; a number of retries; `false`: no retries
 * @throws UsageError at once if the policy or an option is nonsense
 *
 * @example
 * const handler = chain([retryAndPace(policies.api, pacer())], transport());
 */
export function retryAndPace(input?: RetryOptions | number | false, limiter?: Limiter, options: PaceOptions = {}): Interceptor {
  const resolve = policyResolver();
  const own = resolve(input);
  const queue = limiter && checkPace(limiter, options);
  return (request, next) => {
    const asked = request.context.get(RETRY);
    const policy = asked === undefined ? own : resolve(asked);
    const { deadline = policy.deadline } = request;
    const isBare = queue === undefined && deadline === Infinity && (asked ?? input) === false;
    return isBare ? next(request) : operate(request, next, deadline === policy.deadline ? policy : { ...policy, deadline }, queue, options);
  };
}

function operate(
  request: HttpRequest,
  next: Handler,
  policy: ResolvedPolicy<HttpEvent>,
  queue: LimiterQueue | undefined,
  options: PaceOptions,
): Observable<HttpEvent> {
  return new Observable((subscriber) => {
    const { context, url, timeout = policy.timeout } = request;
    const notify = notifier(policy.notify);
    const emit = (event: RetryEvent): void => {
      notify(event);
      subscriber.next(event);
    };
    const send = (attempt: number, deadline: number): Observable<HttpEvent> =>
      next(request.clone({ attempt, timeout, context: deadline < Infinity ? context.set(DEADLINE, deadline) : context }));
    const admitter = queue && admitterOf(queue, request, options);
    const surroundings = { stopped: true, requestId: context.get(REQUEST_ID), url, emit, admitter, failures: anyFailure };
    operation(send, policy, surroundings).subscribe(subscriber);
  });
}

function admitterOf(queue: LimiterQueue, request: HttpRequest, options: PaceOptions): Admitter<HttpEvent> {
  const { maxWait = MAX_WAIT, maxQueued, credential = authorization, policyName, cost } = options;
  const { context, url, method } = request;
  return {
    queue,
    maxWait,
    maxQueued,
    ask: () => ({
      // Relative URLs, in a browser, all belong to the page's own origin.
      url: ABSOLUTE.test(url) ? url : `/${url.replace(/^\//, '')}`,
      method,
      priority: context.get(PRIORITY),
      cost: context.get(COST),
      policyName: policyName?.(request),
      credential: credential(request),
    }),
    answerOf: (event): ResponseOutcome | undefined =>
      event.type === 'headers' ? { status: event.status, headers: event.headers, cost: cost?.(event) } : undefined,
  };
}

/** Resolves policies, each object once. */
function policyResolver(): (input: RetryOptions | number | false | undefined) => ResolvedPolicy<HttpEvent> {
  const resolved = new WeakMap<object, ResolvedPolicy<HttpEvent>>();
  const counted = new Map<number, ResolvedPolicy<HttpEvent>>();
  const isProgress = ({ type }: HttpEvent): boolean => type !== 'response';
  const resolve = (input: RetryOptions | number): ResolvedPolicy<HttpEvent> =>
    resolvePolicy<HttpEvent>({ ...(typeof input === 'number' ? { retries: input } : input), isProgress, resume: undefined });
  return (input = {}) => {
    if (input === false) return resolve({ rules: {} });
    if (typeof input === 'number') {
      const policy = counted.get(input) ?? resolve(input);
      counted.set(input, policy);
      return policy;
    }
    const policy = resolved.get(input) ?? resolve(input);
    resolved.set(input, policy);
    return policy;
  };
}

function authorization({ headers }: HttpRequest): string {
  return headers.get('authorization') ?? '';
}

/** The queue of the limiter. */
function checkPace(limiter: Limiter, options: PaceOptions): LimiterQueue {
  requireLimiter('pace', limiter);
  checkOptions('pace', options, OPTIONS);
  return requireQueue('pace', limiter);
}
