import { fromEvent, map, merge, type Observable, ReplaySubject, take } from 'rxjs';
import { EXIT, type ExitCode } from './ExitCode.js';
import { type Io, writeLine } from './Io.js';

/**
 * Surroundings of this process. The reader of its output may leave (`| head -1`, a terminal that is closed): the command goes on without one.
 * Output that cannot be written for another reason (a full disk) ends the process with one line.
 */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that is gone answers EIO.
      if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)) return;
      if (stream !== stderr) writeLine(stderr, `coldfetch: The output cannot be written: ${error.message}`);
      process.exit(EXIT.failed);
    });
  }
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => fromEvent(process, name).pipe(map(() => name)));
  return { stdin, stdout, stderr, env, cwd: process.cwd(), stop$: merge(...signals) };
}

/** Request to stop, as one command sees it. */
export interface StopListener {
  /** Emits once, also to a subscriber that comes after the signal. */
  readonly stop$: Observable<unknown>;
  /** The code to exit with if a signal came. */
  readonly code: () => ExitCode | undefined;
  /** Stops listening: the next signal ends the process as by default. */
  readonly close: () => void;
}

/** Listens for Ctrl-C, a request to terminate and the end of the session from now on, whether or not there is anything to stop yet. */
export function listenForStop({ stop$ }: Io): StopListener {
  const heard$ = new ReplaySubject<unknown>(1);
  let code: ExitCode | undefined;
  const listening = stop$.pipe(take(1)).subscribe((signal) => {
    code = EXIT[signal];
    heard$.next(signal);
  });
  return { stop$: heard$.asObservable(), code: () => code, close: () => listening.unsubscribe() };
}
