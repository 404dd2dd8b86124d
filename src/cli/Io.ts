import type { Observable } from 'rxjs';
import { printable, printableLines } from '../request/printable.js';
import { inertJson, inertLine } from './inert.js';

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

/** Writes one line, {@link printable}: whatever is in it, it stays one, and a terminal or CI service does nothing but show it. */
export function writeLine(output: Output, line: string): void {
  output.write(`${inertLine(printable(line))}\n`);
}

/** Writes text of the command's own that has several lines. */
export function writeLines(output: Output, text: string): void {
  output.write(`${inertLine(printableLines(text))}\n`);
}

/** Writes a value as JSON, in one line unless an indent is given. */
export function writeJson(output: Output, value: unknown, indent?: number): void {
  output.write(`${inertJson(JSON.stringify(value, plainError, indent))}\n`);
}

// Our own errors know how to be JSON; an Error that does not would be `{}`.
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
