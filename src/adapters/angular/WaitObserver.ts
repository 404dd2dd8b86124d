import { untracked, type WritableSignal } from '@angular/core';
import { defer, finalize, type MonoTypeOperatorFunction, of, tap } from 'rxjs';
import type { HttpEvent, WaitEvent } from '../../request/HttpEvent.js';

/**
 * Receiver of a request's wait: the event when the wait begins and whenever it changes (at a gate it may become longer), `undefined` when
 * it is over, because the request is sent again or has ended.
 */
export type WaitObserver =
  WritableSignal<WaitEvent | undefined> | { next(wait: WaitEvent | undefined): void } | ((wait: WaitEvent | undefined) => void);

/** Waits of one request, passed to its observers. */
export interface WaitEmitter {
  /** Emits a wait, or a change in it. */
  readonly begin: (wait: WaitEvent) => void;
  /** Emits `undefined` if a wait was emitted. */
  readonly end: () => void;
}

/** Passes one request's waits to observers. Errors that they throw go to RxJS's `onUnhandledError`, and change nothing. */
export function emitWaits(...observers: readonly (WaitObserver | undefined)[]): WaitEmitter {
  let waits = false;
  const emit = (wait: WaitEvent | undefined): void => {
    waits = wait !== undefined;
    for (const observer of observers) of(wait).subscribe((told) => untracked(() => hand(observer, told)));
  };
  return {
    begin: emit,
    end: () => {
      if (waits) emit(undefined);
    },
  };
}

/** Passes the waits among a client's events to an observer; the events themselves pass unchanged. */
export function tapWaits<T>(observer: WaitObserver): MonoTypeOperatorFunction<HttpEvent<T>> {
  return (source) =>
    defer(() => {
      const { begin, end } = emitWaits(observer);
      return source.pipe(
        tap((event) => (event.type === 'wait' ? begin(event) : end())),
        finalize(end),
      );
    });
}

function hand(observer: WaitObserver | undefined, wait: WaitEvent | undefined): void {
  if (observer === undefined) return;
  if ('set' in observer) observer.set(wait);
  else if (typeof observer === 'function') observer(wait);
  else observer.next(wait);
}
