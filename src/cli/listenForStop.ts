import { type Observable, ReplaySubject, take } from 'rxjs';
import { EXIT, type ExitCode } from './ExitCode.js';
import type { Io } from './Io.js';

/** Request to stop, as one command sees it. */
export interface Stop {
  /** Emits once, also to a subscriber that comes after the signal. */
  readonly stop$: Observable<unknown>;
  /** The code to exit with if a signal came. */
  readonly code: () => ExitCode | undefined;
  /** Stops listening: the next signal ends the process as by default. */
  readonly close: () => void;
}

/** Listens for Ctrl-C, a request to terminate and the end of the session from now on, whether or not there is anything to stop yet. */
export function listenForStop({ stop$ }: Io): Stop {
  const heard$ = new ReplaySubject<unknown>(1);
  let code: ExitCode | undefined;
  const listening = stop$.pipe(take(1)).subscribe((signal) => {
    code = EXIT[signal];
    heard$.next(signal);
  });
  return { stop$: heard$.asObservable(), code: () => code, close: () => listening.unsubscribe() };
}
