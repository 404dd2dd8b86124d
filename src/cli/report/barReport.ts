import { SingleBar } from 'cli-progress';
import type { FailedEvent } from '../../node/UploadBuildEvent.js';
import { type Io, writeLine } from '../Io.js';
import { formatBytes } from './format.js';
import type { Report } from './Report.js';
import { failureLine, summaryLines } from './summaryLines.js';
import { waitNotices } from './waitNotices.js';

/** How often the countdown is drawn, in ms. */
const TICK = 250;

/** A progress bar of bytes for a terminal, with a countdown behind it while a server says later. Failures are named below it at the end. */
export function barReport({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Report {
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {loaded} of {size} | {note}',
    stream: stdout,
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    // Ctrl-C is the command's business.
    gracefulExit: false,
  });
  const waits = waitNotices(Date.now);
  const loaded = new Map<string, number>();
  const failures: FailedEvent[] = [];
  let arrived = 0;
  let size = 0;
  let note = 'reading files';

  const draw = (): void => {
    const sum = [...loaded.values()].reduce((all, bytes) => all + bytes, 0);
    bar.setTotal(Math.max(size, 1));
    bar.update(sum, { loaded: formatBytes(sum), size: formatBytes(size), note: waits.text(arrived) ?? note });
  };
  bar.start(1, 0, { loaded: formatBytes(0), size: formatBytes(0), note });
  const ticking = setInterval(draw, TICK);
  const close = (): void => {
    clearInterval(ticking);
    bar.stop();
  };

  return {
    show: (event) => {
      switch (event.type) {
        case 'hashed':
          note = `${event.hashed} of ${event.files} read`;
          break;
        case 'created':
          size = [...loaded.values()].reduce((all, bytes) => all + bytes, event.missingBytes);
          note = `0 of ${event.missing} uploaded`;
          break;
        case 'progress':
          loaded.set(event.path, event.loaded);
          break;
        case 'wait':
          waits.note(event);
          break;
        case 'done':
          arrived = event.arrived;
          if (event.how === 'sent') loaded.set(event.path, event.bytes);
          note = `${event.arrived} of ${event.files} uploaded`;
          break;
        case 'failed':
          loaded.delete(event.path);
          failures.push(event);
          break;
        case 'summary':
          close();
          for (const failure of failures) writeLine(stderr, failureLine(failure));
          for (const line of summaryLines(event)) writeLine(stdout, line);
          return;
      }
      draw();
    },
    close,
  };
}
