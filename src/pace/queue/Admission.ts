import { DeadlineError, isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isLimiterError, LimiterError, type LimiterErrorReason } from '../../request/errors/LimiterError.js';
import { fingerprint } from '../../request/fingerprint.js';
import { formatDuration } from '../../request/duration.js';
import { elapsed } from '../../time.js';
import { answerOf, hintOf } from '../outcomes.js';
import type { Ask, Permit, Refusal, ResponseOutcome } from '../Limiter.js';
import { requireAsk } from './checkAsk.js';
import type { AdmissionOptions, AdmittedOperation, PlannedDelay, RefusalPolicy } from './AdmittedOperation.js';
import type { Waiter, WaitEstimate } from './Waiter.js';

/** A wait in the form that an operation's event has it. */
export interface AdmissionWait extends Pick<WaitEstimate, 'delay' | 'source' | 'windowsLeft'> {
  /** Number of requests that go first, where it is known. */
  readonly position: number | undefined;
  /** True if the operation's policy shortened the delay that the server asks for. */
  readonly capped: boolean;
  /** True if it corrects a wait that was emitted before. */
  readonly updated: boolean;
}

/** Reason for which an operation ends at its limiter. */
export type RefusalReason = Exclude<LimiterErrorReason, 'queue-full' | 'never'> | 'deadline' | 'terminal';

/** An attempt that waits for its permit. */
export interface WaitingAttempt {
  /** Takes over the permit. */
  granted(permit: Permit): void;
  /** Receives the error that the attempt fails with; `reason` is undefined for errors that are not the limiter's own. */
  refused(error: unknown, reason: RefusalReason | undefined): void;
  /** Receives the expected wait, and again whenever it has become longer. */
  waits(wait: AdmissionWait): void;
}

/** The wait behind a gate, as a policy takes it. */
interface PlannedWait {
  /** Moment from which the request may be sent. */
  readonly until: number;
  readonly delay: PlannedDelay;
}

const lanes = new WeakMap<object, string>();
const laneCount = { last: 0 };

/**
 * Admission of one operation's attempts by its limiter: the operation's asks, and its own plan of each wait at a gate. The limiter's queue
 * provides it.
 */
export class Admission<T> {
  readonly #enter: (waiter: Waiter, maxQueued?: number) => () => void;
  readonly #options: AdmissionOptions<T>;
  readonly #operation: AdmittedOperation;
  readonly #policy: RefusalPolicy | undefined;
  /** Planned waits by refusal. A wait that is over stays: it is waited once, however the request that follows ends. */
  #waits: WeakMap<Refusal, PlannedWait> | undefined;
  /** The latest planned wait, until the request is sent. */
  #planned: PlannedWait | undefined;

  /**
   * @param enter puts a waiter in the limiter's queue
   * @param policy the operation's policy about refusals, if it has one
   */
  constructor(
    enter: (waiter: Waiter, maxQueued?: number) => () => void,
    options: AdmissionOptions<T>,
    operation: AdmittedOperation,
    policy: RefusalPolicy | undefined,
  ) {
    this.#enter = enter;
    this.#options = options;
    this.#operation = operation;
    this.#policy = policy;
  }

  /** The response that a value stands for, if any. */
  answerOf(value: T): ResponseOutcome | undefined {
    return (this.#options.answerOf ?? answerOf)(value);
  }

  /** Takes over the plan of the request that was refused. */
  adopt(refusal: Refusal, hint: 'capped' | 'minimum', delay: PlannedDelay): void {
    this.#remember(refusal, { until: momentOf(refusal, hint, delay), delay });
  }

  /** Clears the planned wait: the request is sent. */
  clear(): void {
    this.#planned = undefined;
  }

  /**
   * The ask of the next attempt.
   *
   * @throws UsageError for nonsense, and the error of a hook
   */
  ask(): Ask {
    const { failed, rejections, deadline, waitedAtGates } = this.#operation;
    const policy = this.#policy;
    const { url, method, priority, cost, policyName, credential = '' } = this.#options.ask();
    // The ask is copied field by field, since a new key behind a spread makes the copy some twenty times slower (measured on Node 20).
    const ask: Ask = {
      url,
      method,
      priority,
      cost,
      policyName,
      credential: fingerprint(credential),
      waitsAs: policy && laneOf(policy.rule),
      capped: policy?.rule.hint === 'capped',
      plan: policy && ((refusal) => (this.#waits?.get(refusal) ?? this.#remember(refusal, this.#plan(refusal, policy))).until),
      probe: policy !== undefined && policy.retries() < policy.rule.retries && policy.isReplayable(method),
      rejections,
      retry: failed !== undefined && failed.hold === undefined,
      deadline,
      maxWait: Math.max(0, this.#options.maxWait - waitedAtGates),
    };
    requireAsk(ask);
    return ask;
  }

  /**
   * Waits in the queue.
   *
   * @returns withdraws the attempt while it waits
   */
  enter(ask: Ask, attempt: WaitingAttempt): () => void {
    const { failed } = this.#operation;
    // A timer has emitted its own wait before it began, so the queue emits none.
    let emitted = failed !== undefined && failed.hold === undefined;
    const emitWait = ({ delay, source, position, windowsLeft }: Pick<WaitEstimate, 'delay' | 'source'> & Partial<WaitEstimate>): void => {
      const updated = emitted;
      emitted = true;
      const planned = source === 'gate' || source === 'rateLimit' ? this.#planned?.delay : undefined;
      const { capped } = planned ?? { capped: false };
      attempt.waits({ delay, source: planned?.source ?? source, capped, position, windowsLeft, updated });
    };
    return this.#enter(
      {
        ask,
        granted: (permit) => {
          if (!emitted && failed) emitWait({ delay: 0, source: 'gate' });
          attempt.granted(permit);
        },
        refused: (error) => {
          attempt.refused(error, reasonOf(error));
        },
        estimated: (estimate) => {
          if (estimate.delay > 0 && estimate.delay < Infinity) emitWait(estimate);
        },
      },
      this.#options.maxQueued,
    );
  }

  #remember(refusal: Refusal, wait: PlannedWait): PlannedWait {
    this.#waits ??= new WeakMap();
    this.#waits.set(refusal, wait);
    return (this.#planned = wait);
  }

  /**
   * The wait after a refusal: the operation's own, or that of a request that shares the gate.
   *
   * @throws LimiterError or DeadlineError where the policy ends the operation instead
   */
  #plan(refusal: Refusal, { kind, rule, maxHint, retries, delayAfter }: RefusalPolicy): PlannedWait {
    const hint = hintOf(refusal);
    const cause = refusal.answer.error;
    if (rule.retries > 0 && refusal.run >= rule.retries) {
      const message = `The server refused ${refusal.run} probes in a row, as many as the policy's ${rule.retries} retries for ${kind}`;
      throw new LimiterError(message, { reason: 'exhausted', cause });
    }
    if (hint && hint.delay > maxHint) {
      const message = `The server asks to wait ${formatDuration(hint.delay)}, longer than the policy's maxHint (${formatDuration(maxHint)}); raise it to wait that long`;
      throw new LimiterError(message, { reason: 'max-hint', cause });
    }
    const now = elapsed();
    const left = this.#operation.deadline - now;
    const index = Math.max(retries(), refusal.refusals - 1);
    const delay = delayAfter(hint, { left: left + now - refusal.at, index });
    const opens = refusal.at + delay.minimum - now;
    if (opens >= left) {
      const message = `The deadline cannot be kept: the gate opens in ${formatDuration(opens)}, and ${formatDuration(left)} are left`;
      throw new DeadlineError(message, { cause });
    }
    return { until: momentOf(refusal, rule.hint, delay), delay };
  }
}

/** Name of a rule within its policy: operations of one rule wait for the same time. */
function laneOf(rule: object): string {
  let lane = lanes.get(rule);
  if (lane === undefined) lanes.set(rule, (lane = String(++laneCount.last)));
  return lane;
}

function momentOf({ at, until, binding }: Refusal, hint: 'capped' | 'minimum', { delay }: PlannedDelay): number {
  return binding || hint === 'minimum' ? Math.max(until, at + delay) : at + delay;
}

function reasonOf(error: unknown): RefusalReason | undefined {
  if (isDeadlineError(error)) return 'deadline';
  if (!isLimiterError(error)) return undefined;
  const { reason } = error;
  return reason === 'queue-full' || reason === 'never' ? 'terminal' : reason;
}
