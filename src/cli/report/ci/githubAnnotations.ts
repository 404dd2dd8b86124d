import { posix } from 'node:path';
import type { FailedEvent } from '../../../node/UploadBuildEvent.js';
import { printable } from '../../../request/printable.js';
import { withOptionNames } from '../../withOptionNames.js';
import type { Output } from '../../Io.js';
import { type Report, SILENT } from '../Report.js';
import { outcomeLine } from '../summaryLines.js';

/** Annotations of one kind that GitHub shows for a step; more are dropped silently. */
const SHOWN = 10;

/**
 * Annotations of GitHub Actions: one error for each file that failed, up to the number that GitHub shows, one for the upload, and a notice with
 * the URL of a completed build. They are workflow commands; the text of servers and file names in them is escaped, so that it stays text.
 *
 * @param output standard or error output: GitHub reads commands from both
 * @param dir folder of the screenshots, as given; annotations name files below it
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function githubAnnotations(output: Output, dir: string): Report {
  const failures: FailedEvent[] = [];
  const annotate = (kind: 'error' | 'notice', properties: Readonly<Record<string, string>>, message: string): void => {
    const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
    output.write(`::${kind} ${list.join(',')}::${escapeData(message)}\n`);
  };
  const annotateFailures = (): void => {
    // The last annotation is that of the upload.
    const most = failures.length < SHOWN ? failures.length : SHOWN - 2;
    for (const { path, reason } of failures.slice(0, most)) {
      annotate('error', { file: posix.join(dir, path), title: 'Screenshot not uploaded' }, `${path}: ${withOptionNames(reason)}`);
    }
    const rest = failures.splice(0).length - most;
    if (rest > 0) annotate('error', { title: 'Screenshots not uploaded' }, `${rest} more files failed; the log names them`);
  };
  return {
    ...SILENT,
    show: (event) => {
      if (event.type === 'failed') failures.push(event);
      if (event.type !== 'summary') return;
      annotateFailures();
      if (event.completed) annotate('notice', { title: 'Screenshots uploaded' }, outcomeLine(event));
      else annotate('error', { title: 'Build not completed' }, outcomeLine(event));
    },
    close: (failure) => {
      annotateFailures();
      if (failure !== undefined) annotate('error', { title: 'Upload failed' }, failure);
    },
  };
}

function escapeData(text: string): string {
  return printable(text).replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
