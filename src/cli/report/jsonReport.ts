import { type Output, writeJson } from '../Io.js';
import type { Report } from './Report.js';

/** One line of JSON for each event, for programs. */
export function jsonReport(output: Output): Report {
  return { show: (event) => writeJson(output, event), close: () => undefined };
}
