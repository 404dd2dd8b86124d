import { type Output, writeLine } from '../Io.js';
import type { Report } from './Report.js';

/** One line of JSON for each event, for programs. */
export function jsonReport(output: Output): Report {
  return { show: (event) => writeLine(output, JSON.stringify(event, plainError)), close: () => undefined };
}

// Our own errors know how to be JSON; an Error that does not would be `{}`.
function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
