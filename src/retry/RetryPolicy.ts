import type { Observable, ObservableInput } from 'rxjs';
import type { DelaySource } from '../headers/DelaySource.js';
import type { RetryEvent } from '../request/HttpEvent.js';
import type { Backoff } from './backoff/Backoff.js';
import type { FailedRequest, Failure } from './Failure.js';

/** One kind of failure, and how it is retried. Each rule has its own counter in each subscription. */
export interface RetryRule {
  /** Matcher of the failures that the rule takes; the first rule that matches takes the failure. */
  readonly matches: (failure: Failure) => boolean;
  /** Most retries of the rule in one operation, 0 or more; `Infinity`: only the deadline bounds them. */
  readonly retries: number;
  /** The delay where the server asks for none. */
  readonly backoff: Backoff;
  /** Delay sources that read the server's delay, in order; the key becomes the event's `source`. None: hints are not read. */
  readonly sources?: Readonly<Record<string, DelaySource>>;
  /** `'capped'`: the hint, but at most `cap`. `'minimum'`: nothing is sent before the hint. */
  readonly hint: 'capped' | 'minimum';
  /** Longest wait for a hint, in ms, for a `'capped'` rule; 60,000 by default. */
  readonly cap?: number;
  /**
   * Share of the hint, 0 to 1, for a `'minimum'` rule: the wait is then at least the rule's own backoff, plus a second draw of up to that
   * share of the hint, at most 3 s. It keeps clients apart that were given the same moment. 0 by default: the hint as asked.
   */
  readonly spread?: number;
  /** `'any'`: whatever the method. `'idempotent'`: GET, HEAD, OPTIONS, PUT, DELETE, or a request with an idempotency key. */
  readonly replay: 'any' | 'idempotent';
}

/**
 * Verdict of a `classify` hook. `'terminal'`: the failure is final. `'retry'`: it is retried by the rule that matches it, else by the
 * policy's last one, within its count, its replay safety and the deadline. `undefined`: the rules decide.
 */
export type Verdict = 'terminal' | 'retry' | undefined;

/**
 * Looks at a failure before the rules do. `peek` reads the beginning of an error body (at most 4 KiB, at most 1 s) and leaves the body
 * readable.
 */
export type Classify = (failure: Failure, peek: () => Observable<string>) => Verdict | ObservableInput<Verdict>;

/** Plan by which an operation is retried: plain data, changed by spreading it. */
export interface RetryPolicy {
  /** Rules, in order; a rule's key is the event's `kind`. */
  readonly rules: Readonly<Record<string, RetryRule>>;
  /** Milliseconds that the whole operation may take, waits included; `Infinity`: no deadline. */
  readonly deadline: number;
  /** Milliseconds without progress after which an attempt fails; clients hand it to the transport. */
  readonly timeout: number;
  /** The longest hint that is obeyed, in ms; a longer one ends the operation. */
  readonly maxHint: number;
  /**
   * Treatment of an attempt while a browser says that it is offline. `'wait'`: held until the browser is online again, without using up a
   * retry; the deadline still holds. `'send'` (default): sent, to fail and be retried like any other. Outside of browsers there is no such
   * state.
   */
  readonly offline?: 'wait' | 'send';
  /** A number from 0 up to, not including, 1, for every draw. */
  readonly random: () => number;
  /** Looks at a failure before the rules do; several hooks become one by `firstVerdict`. */
  readonly classify?: Classify;
}

/** A policy, or the fields that differ from `policies.standard`, and options of one use of it. */
export interface RetryOptions extends Partial<RetryPolicy> {
  /** Retries of each rule, in place of the rules' own: 0 or more, or `Infinity`. `retryAfter(2)` is short for `retryAfter({ retries: 2 })`. */
  readonly retries?: number | undefined;
  /** Observable that completes the stream when it emits, in a wait too. Subscribed once for the operation. */
  readonly abort$?: Observable<unknown> | undefined;
  /** Signal that ends the stream with its own reason, in a wait too. */
  readonly signal?: AbortSignal | undefined;
  /** Receives waits and giving up. An error that it throws is reported as an unhandled error and changes nothing. */
  readonly notify?: ((event: RetryEvent) => void) | { next(event: RetryEvent): void } | undefined;
  /** Method and header fields of the request, where its errors lack them. */
  readonly request?: FailedRequest | undefined;
}

/** {@link RetryOptions} of a source of any values. */
export interface RetryPolicyInput<T = unknown> extends RetryOptions {
  /** True for values that are progress, not output: after output a failure is not retried. No value is progress by default. */
  readonly isProgress?: ((value: T) => boolean) | undefined;
  /** Makes the rest of the source after a failure behind `last`; without it, a source that has emitted output is not retried. */
  readonly resume?: ((last: T, error: unknown) => ObservableInput<T>) | undefined;
}
