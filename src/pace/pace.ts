import { Observable, tap } from 'rxjs';
import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import { isDeadlineError } from '../request/errors/DeadlineError.js';
import { isLimiterError } from '../request/errors/LimiterError.js';
import { fingerprint } from '../request/fingerprint.js';
import type { Interceptor } from '../request/Handler.js';
import type { GiveUpReason, HeadersEvent, HttpEvent, WaitEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { originOf } from '../request/originOf.js';
import { ATTEMPT, type AttemptInfo, COST, type Pacing, PRIORITY, REQUEST_ID } from '../request/tokens.js';
import { elapsed, wallClock } from '../time.js';
import { answerOf } from './answerOf.js';
import type { Waiting } from './Asker.js';
import type { Answer, Ask, Limiter, Permit } from './Limiter.js';
import { outcomeKind } from './outcomeKind.js';
import { requireLimiter } from './requireLimiter.js';
import { whileHeld } from './whileHeld.js';

/** How a client's requests wait for a limiter. */
export interface PaceOptions {
  /** How long an operation without a deadline waits at most, all its attempts together, in ms; 30 minutes by default. */
  readonly maxWait?: number | undefined;
  /** Most requests that may wait for one origin; more fail with a `LimiterError`. No bound by default. */
  readonly maxQueued?: number | undefined;
  /** Tells apart callers with quotas of their own; by default the `authorization` field does, of which a hash is kept. */
  readonly credential?: ((request: HttpRequest) => string) | undefined;
  /** Which of the origin's quotas a request falls under, where you know; by default those that the origin announces are one. */
  readonly policyName?: ((request: HttpRequest) => string | undefined) | undefined;
  /** What a request did cost, read from its answer; corrects what its `COST` said. */
  readonly cost?: ((answer: HeadersEvent) => number | undefined) | undefined;
}

const MAX_WAIT = 1_800_000;
const HOOKS = ['credential', 'policyName', 'cost'] as const satisfies (keyof PaceOptions)[];
/** What is a limiter's, or retry's. */
const ELSEWHERE = {
  concurrency: 'limiter: concurrency(n)',
  rate: 'limiter: tokenBucket({ rate })',
  maxHint: 'limiter: pacer({ maxHint })',
  deadline: 'retry: { deadline }',
};

/**
 * The station that decides when an attempt is sent: one permit of `limiter` for each, asked for at subscription. What limits the rate ends at
 * the answer's headers, what limits requests in flight at the end of its body; an error, a timeout and unsubscribing give both back.
 *
 * While an attempt waits, `wait` events of kind `'gate'` tell how long, by what is known, and behind how many; again when the wait has
 * become longer. A 429 whose wait the limiter owns is handed to retry with that said, so that nobody waits twice. A wait that the deadline
 * does not allow is refused at once: by a `DeadlineError` with the arithmetic in its message, after a failed attempt by that attempt's error.
 *
 * @example
 * const road = chain([retry(), pace(pacer())], transport());
 */
export function pace(limiter: Limiter, options: PaceOptions = {}): Interceptor {
  requireLimiter('pace', limiter);
  checkKeys(() => 'pace', options, [...HOOKS, 'maxWait', 'maxQueued'], ELSEWHERE);
  for (const name of HOOKS) {
    const hook: unknown = options[name];
    if (hook !== undefined && typeof hook !== 'function') throw new UsageError(`pace: ${name} is a ${typeof hook}; give a function`);
  }
  const { maxWait = MAX_WAIT, maxQueued } = options;
  if (!(maxWait >= 0)) throw new UsageError(`pace: maxWait is ${maxWait}; pass milliseconds, 0 or more`);
  if (maxQueued !== undefined && !(maxQueued >= 0)) throw new UsageError(`pace: maxQueued is ${maxQueued}; pass 0 or more`);

  return (request, next) =>
    new Observable<HttpEvent>((subscriber) => {
      const asked = elapsed();
      const attempt = request.context.get(ATTEMPT);
      const { pacing } = attempt;
      const { waited = 0 } = pacing;
      pacing.parked = true;
      const ask = askOf(request, options, attempt, Math.max(0, maxWait - waited));
      const onWait = (waiting: Waiting): void => {
        if (waiting.delay > 0 && waiting.delay < Infinity) subscriber.next(waitEvent(request, attempt, ask, waiting));
      };
      const hold = { maxQueued, onWait, refusal: (error: unknown) => refusal(attempt, error) };
      const events$ = whileHeld(limiter, ask, hold, (permit) => {
        pacing.parked = false;
        pacing.waited = waited + elapsed() - asked;
        return next(request).pipe(tap(teach(permit, pacing, options)));
      });
      events$.subscribe(subscriber);
    });
}

function askOf(
  request: HttpRequest,
  { credential = authorization, policyName }: PaceOptions,
  { deadline, rejections, lastError, pacing }: AttemptInfo,
  maxWait: number,
): Ask {
  const { context, url, method, attempt } = request;
  return {
    // Relative URLs, in a browser, are all of the page's own origin.
    url: originOf(url),
    method,
    priority: context.get(PRIORITY),
    cost: context.get(COST),
    rejections,
    retry: attempt > 1 && outcomeKind(answerOf(lastError) ?? { status: 0 }) !== 'neither',
    deadline,
    maxWait: deadline === Infinity ? maxWait : Infinity,
    policyName: hooked(pacing, () => policyName?.(request)),
    credential: hooked(pacing, () => fingerprint(credential(request))),
    lastError,
  };
}

function authorization({ headers }: HttpRequest): string {
  return headers.get('authorization') ?? '';
}

/** Tells the permit how the attempt ended: a good answer at its headers, a bad one with the error that stands for it. */
function teach(permit: Permit, pacing: Pacing, { cost }: PaceOptions) {
  let head: (Answer & { readonly cost: number | undefined }) | undefined;
  return {
    next: (event: HttpEvent): void => {
      if (event.type !== 'headers') return;
      head = { status: event.status, headers: event.headers, cost: hooked(pacing, () => cost?.(event)) };
      if (event.status < 300 || event.status === 304) permit.settle(head);
    },
    error: (error: unknown): void => {
      const claim = permit.settle({ ...(head ?? answerOf(error) ?? { status: 0 }), error });
      if (claim) pacing.gate = claim;
    },
    complete: (): void => void permit.settle(head ?? { status: 200 }),
  };
}

/** What a function of the caller throws ends the operation: it is no failure of the request. */
function hooked<T>(pacing: Pacing, hook: () => T): T {
  try {
    return hook();
  } catch (error) {
    pacing.refused = 'hook-failed';
    throw error;
  }
}

/** What an operation fails with if its wait is refused: once something was sent, what that had come to. */
function refusal({ pacing, lastError }: AttemptInfo, error: unknown): unknown {
  pacing.refused = reasonOf(error);
  return isDeadlineError(error) && error.reason === 'infeasible' && lastError !== undefined ? lastError : error;
}

function reasonOf(error: unknown): GiveUpReason {
  if (isDeadlineError(error)) return error.reason;
  return isLimiterError(error) || answerOf(error)?.status !== 429 ? 'terminal' : 'max-hint';
}

function waitEvent(
  request: HttpRequest,
  { began, lastError: error }: AttemptInfo,
  { url }: Ask,
  { delay, source, windowsLeft, position }: Waiting,
): WaitEvent {
  const requestId = request.context.get(REQUEST_ID);
  const status = answerOf(error)?.status;
  return {
    type: 'wait',
    // A wait stands behind the attempt that failed; the first one has none before it.
    attempt: Math.max(request.attempt - 1, 1),
    delay,
    until: wallClock() + delay,
    kind: 'gate',
    source,
    capped: false,
    elapsed: elapsed() - began,
    position,
    ...(url === undefined ? {} : { origin: url }),
    ...(windowsLeft === undefined ? {} : { windowsLeft }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(error === undefined ? {} : { error }),
    ...(status === undefined ? {} : { status }),
  };
}
