import type { Observable } from 'rxjs';

/** Where a command writes: a stream of the process, or what stands in for one. */
export interface Output extends NodeJS.WritableStream {
  /** Whether it is a terminal, where lines may be drawn over. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** All that a command has of the world around it; specs give it another one. */
export interface Io {
  /** What was asked for: progress, results. */
  readonly stdout: Output;
  /** What went wrong. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly cwd: string;
  /** Emits the name of a signal that asks to stop; nothing listens to signals unless it is subscribed. */
  readonly stop$: Observable<'SIGINT' | 'SIGTERM'>;
}

/** Writes a line. */
export function writeLine(output: Output, line: string): void {
  output.write(`${line}\n`);
}
