import type { Observable } from 'rxjs';
import { printable, printableLines } from '../request/printable.js';
import { inertJson, inertLine } from './inertOutput.js';

/** Stream that a command writes to: one of the process, or its stand-in. */
export interface Output extends NodeJS.WritableStream {
  /** True if the stream is a terminal, where lines may be drawn over. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Signals that ask a command to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Surroundings of a command; specs give it others. */
export interface Io {
  /** Input of commands that read one. */
  readonly stdin: NodeJS.ReadableStream;
  /** Output of progress and results. */
  readonly stdout: Output;
  /** Output of failures. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly cwd: string;
  /** Emits the name of a signal that asks to stop; signals are listened to only while it is subscribed. */
  readonly stop$: Observable<StopSignal>;
}

/** Writes one line, {@link printable}: it stays one line whatever it contains, and a terminal or CI service does nothing but show it. */
export function writeLine(output: Output, line: string): void {
  output.write(`${inertLine(printable(line))}\n`);
}

/** Writes text of the command's own that has several lines. */
export function writeLines(output: Output, text: string): void {
  output.write(`${inertLine(printableLines(text))}\n`);
}

/** Writes a value as JSON, in one line unless an indent is given. */
export function writeJson(output: Output, value: unknown, indent?: number): void {
  output.write(jsonLine(value, indent));
}

/** A value as JSON with a line feed, in which no character acts on a terminal or a CI service. */
export function jsonLine(value: unknown, indent?: number): string {
  return `${inertJson(JSON.stringify(value, plainError, indent))}\n`;
}

// An error without a `toJSON` would be `{}`.
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
