import { type Output, writeLine } from '../Io.js';
import { type Report, SILENT } from './Report.js';
import { failureLine, outcomeLine } from './summaryLines.js';

/** Failures and nothing else. */
export function quietReport(stderr: Output): Report {
  return {
    ...SILENT,
    show: (event) => {
      if (event.type === 'failed') writeLine(stderr, failureLine(event));
      if (event.type === 'summary' && (!event.completed || event.failed > 0)) writeLine(stderr, outcomeLine(event));
    },
  };
}
