import { type Output, writeJson } from '../Io.js';
import { type Report, SILENT } from './Report.js';

/** One line of JSON for each event, for programs. */
export function jsonReport(output: Output): Report {
  return { ...SILENT, show: (event) => writeJson(output, event) };
}
