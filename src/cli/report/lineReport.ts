import type { CreatedEvent, FailedEvent } from '../../node/UploadBuildEvent.js';
import { counted, printable } from '../../request/printable.js';
import { type Io, type Output, writeLine } from '../Io.js';
import type { LogGroups } from './ci/logGroups.js';
import { formatBytes } from './formatBytes.js';
import { type Report, SILENT } from './Report.js';
import { failureLine, MAX_ID, outcomeLine, summaryLines } from './summaryLines.js';
import { verboseLine } from './verboseLine.js';
import { waitNotices } from './waitNotices.js';

/** Options of {@link lineReport}. */
export interface LineOptions {
  /** True if each event is reported in detail. */
  readonly verbose?: boolean | undefined;
  /** Groups of the CI service, into which the lines of single files are folded; failures come after the group then. */
  readonly groups?: LogGroups | undefined;
}

/** Plain lines: for pipes, logs, and screens that cannot be drawn over. */
export function lineReport({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>, { verbose = false, groups }: LineOptions = {}): Report {
  const waits = waitNotices(Date.now);
  const failures: FailedEvent[] = [];
  /** Failures to be named when the group has ended. */
  const unnamed: FailedEvent[] = [];
  let isGroupOpen = false;

  const openGroup = (title: string): void => {
    if (!groups || isGroupOpen) return;
    isGroupOpen = true;
    stdout.write(groups.open(title));
  };
  const closeGroup = (): void => {
    if (groups && isGroupOpen) stdout.write(groups.close());
    isGroupOpen = false;
    for (const failure of unnamed.splice(0)) writeLine(stderr, failureLine(failure));
  };

  return {
    ...SILENT,
    show: (event) => {
      const details = verbose ? verboseLine(event) : undefined;
      if (details !== undefined) writeLine(stdout, details);
      switch (event.type) {
        case 'hashed':
          if (event.hashed === event.files) writeLine(stdout, `${counted(event.files, 'file')} read`);
          break;
        case 'created':
          if (event.reason === 'resumed') writeLine(stdout, 'the upload of an earlier run goes on');
          if (event.reason === 'expired') writeLine(stdout, 'the permits to upload expired: asked for new ones');
          writeLine(
            stdout,
            `${placeOf(event)}${counted(event.missing, event.build.id === '' ? 'file' : 'image')} to send (${formatBytes(event.missingBytes)})`,
          );
          openGroup(event.parts > 1 ? 'Upload' : `Upload of ${counted(event.missing, event.build.id === '' ? 'file' : 'image')}`);
          break;
        case 'wait':
          if (waits.note(event) && !verbose) writeLine(stdout, waits.text(event.arrived) ?? '');
          break;
        case 'done':
          writeLine(
            stdout,
            `${event.arrived} of ${event.files} uploaded: ${event.path}${event.how === 'sent' ? '' : ` (${HOW[event.how]})`}`,
          );
          break;
        case 'failed':
          failures.push(event);
          if (isGroupOpen) unnamed.push(event);
          else writeLine(stderr, failureLine(event));
          break;
        case 'summary':
          closeGroup();
          for (const line of summaryLines(event, failures)) writeLine(stdout, line);
          break;
      }
    },
    close: closeGroup,
  };
}

const HOW = { kept: 'already there', duplicate: 'same bytes as another file' } as const;

/** The build that files go to, and the part of it; empty for a target without builds. */
function placeOf({ build, part, parts }: CreatedEvent): string {
  const whole = build.id === '' ? '' : `build ${printable(build.id, MAX_ID)}`;
  const place = [...(whole === '' ? [] : [whole]), ...(parts > 1 ? [`part ${part} of ${parts}`] : [])];
  return place.length > 0 ? `${place.join(', ')}: ` : '';
}

/** Report of failures alone. */
export function quietReport(stderr: Output): Report {
  return {
    ...SILENT,
    show: (event) => {
      if (event.type === 'failed') writeLine(stderr, failureLine(event));
      if (event.type === 'summary' && (!event.completed || event.failed > 0)) writeLine(stderr, outcomeLine(event));
    },
  };
}
