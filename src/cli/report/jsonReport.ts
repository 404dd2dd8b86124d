import { wallClock } from '../../time.js';
import { jsonLine, type Output, writeJson } from '../Io.js';
import { type Report, SILENT } from './Report.js';
import type { ReportFile } from './ReportFile.js';

/** One line of JSON for each event, for programs. */
export function jsonReport(output: Output): Report {
  return { ...SILENT, show: (event) => writeJson(output, event) };
}

/** Version of the schema, which the guide `uploads-in-ci` describes. It changes when a field is removed or changes its meaning. */
const LOG_VERSION = 1;

/**
 * All events as lines of JSON in a file, each with the time: `start`, the events of `uploadBuild`, and `end`, with the reason where there is no
 * summary.
 */
export function logReport(file: ReportFile): Report {
  const write = (event: object): void => file.write(jsonLine({ time: new Date(wallClock()).toISOString(), ...event }));
  return {
    start: () => write({ type: 'start', version: LOG_VERSION }),
    show: write,
    close: (failure) => {
      write({ type: 'end', ...(failure !== undefined && { failure }) });
      file.close();
    },
  };
}
