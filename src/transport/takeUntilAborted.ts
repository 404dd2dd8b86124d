import { EMPTY, identity, isObservable, merge, type MonoTypeOperatorFunction, Observable, share, takeUntil, throwError } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';

/** Ends of an operation from outside. */
export interface AbortSources {
  /** Signal that ends the operation with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Observable that completes the operation when it emits; its error becomes the operation's; its completion has no effect. */
  readonly abort$?: Observable<unknown> | undefined;
}

/** One listener for each signal, shared by all operations on it: Node warns of a leak at the eleventh listener. */
const aborts = new WeakMap<AbortSignal, Observable<never>>();

/** Reasons that operations have ended with: whatever their shape, they are no failures of a request. */
const reasons = new WeakSet<object>();

/** Reason that passes through the operations right now: a primitive has no other mark. */
const passing: { reason?: unknown } = {};

/** True if an error is the reason of a signal that ended an operation. */
export function isAbortReason(error: unknown): boolean {
  return typeof error === 'object' && error !== null ? reasons.has(error) : 'reason' in passing && error === passing.reason;
}

/**
 * Observable that never emits; it errors with the signal's reason when the signal aborts, at once if it already has. It leaves no listener
 * behind.
 */
export function fromSignal(signal: AbortSignal): Observable<never> {
  if (typeof (signal as Partial<AbortSignal>).addEventListener !== 'function') {
    return throwError(() => new UsageError(`signal is ${typeof signal}, not an AbortSignal; pass the signal of an AbortController`));
  }
  let abort$ = aborts.get(signal);
  if (!abort$) {
    abort$ = new Observable<never>((subscriber) => {
      const abort = (): void => {
        const reason: unknown = signal.reason;
        if (typeof reason === 'object' && reason !== null) reasons.add(reason);
        passing.reason = reason;
        subscriber.error(reason);
        delete passing.reason;
      };
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort);
      return () => {
        signal.removeEventListener('abort', abort);
      };
    }).pipe(share());
    aborts.set(signal, abort$);
  }
  return abort$;
}

/**
 * Ends the source when `abort$` emits (it completes) or the signal aborts (it errors with the signal's reason). Both are subscribed before
 * the source, so that nothing starts if they have fired already, and unsubscribed with it.
 */
export function takeUntilAborted<T>({ signal, abort$ }: AbortSources): MonoTypeOperatorFunction<T> {
  return signal || abort$ ? takeUntil(merge(signal ? fromSignal(signal) : EMPTY, abort$ ? checked(abort$) : EMPTY)) : identity;
}

function checked(abort$: Observable<unknown>): Observable<unknown> {
  if (isObservable(abort$)) return abort$;
  return throwError(() => new UsageError(`abort$ is ${typeof abort$}, not an observable; pass a Subject, say`));
}
