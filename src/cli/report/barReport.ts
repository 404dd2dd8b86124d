import { SingleBar } from 'cli-progress';
import type { FailedEvent } from '../../node/UploadBuildEvent.js';
import { type Io, writeLine } from '../Io.js';
import type { Report } from './Report.js';
import { type Status, statusLine } from './statusLine.js';
import { failureLine, summaryLines } from './summaryLines.js';
import { waitNotices } from './waitNotices.js';

/** Time between two drawings of the countdown, in ms. */
const TICK = 250;
/** Columns of a terminal of unknown width. */
const COLUMNS = 80;

/** Progress bar of bytes on a terminal, with a countdown behind it during a wait. Failures are named below it at the end. */
export function barReport({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Report {
  let status: Status = { loaded: 0, size: 0, note: 'reading files' };
  const bar = new SingleBar({
    format: () => statusLine(status, stdout.columns ?? COLUMNS),
    stream: stdout,
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    // Ctrl-C is handled by the command, not by the bar.
    gracefulExit: false,
  });
  const waits = waitNotices(Date.now);
  const loaded = new Map<string, number>();
  const failures: FailedEvent[] = [];
  let sum = 0;
  let arrived = 0;
  let size = 0;
  let { note } = status;

  const draw = (): void => {
    status = { loaded: sum, size, note: waits.text(arrived) ?? note };
    bar.setTotal(Math.max(size, 1));
    bar.update(sum);
  };
  const count = (path: string, bytes: number): void => {
    sum += bytes - (loaded.get(path) ?? 0);
    loaded.set(path, bytes);
  };
  let ticking: NodeJS.Timeout | undefined;
  const close = (): void => {
    if (ticking === undefined) return;
    clearInterval(ticking);
    ticking = undefined;
    bar.stop();
    for (const failure of failures) writeLine(stderr, failureLine(failure));
  };

  return {
    start: () => {
      bar.start(1, 0);
      ticking = setInterval(draw, TICK);
    },
    show: (event) => {
      switch (event.type) {
        case 'hashed':
          note = `${event.hashed} of ${event.files} read`;
          break;
        case 'created':
          // Renewed permits are for images that were counted before.
          if (event.reason !== 'expired') size += event.missingBytes;
          if (event.reason !== 'expired' && event.part === 1) note = `0 of ${event.missing} uploaded`;
          break;
        case 'progress':
          count(event.path, event.loaded);
          break;
        case 'wait':
          waits.note(event);
          break;
        case 'done':
          arrived = event.arrived;
          if (event.how === 'sent') count(event.path, event.bytes);
          loaded.delete(event.path);
          note = `${event.arrived} of ${event.files} uploaded`;
          break;
        case 'failed':
          count(event.path, 0);
          loaded.delete(event.path);
          failures.push(event);
          break;
        case 'summary':
          close();
          for (const line of summaryLines(event, failures)) writeLine(stdout, line);
          return;
      }
      draw();
    },
    close,
  };
}
