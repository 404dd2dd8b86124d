import { counted } from '../../request/counted.js';
import { printable } from '../../request/printable.js';
import { type Io, writeLine } from '../Io.js';
import { formatBytes } from './format.js';
import type { Report } from './Report.js';
import { failureLine, MAX_ID, summaryLines } from './summaryLines.js';
import { waitNotices } from './waitNotices.js';

/** Plain lines: for pipes, logs, and screens that cannot be drawn over. */
export function lineReport({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Report {
  const waits = waitNotices(Date.now);
  return {
    show: (event) => {
      switch (event.type) {
        case 'hashed':
          if (event.hashed === event.files) writeLine(stdout, `${counted(event.files, 'file')} read`);
          break;
        case 'created':
          if (event.reason === 'expired') writeLine(stdout, 'the permits to upload expired: asked for new ones');
          writeLine(
            stdout,
            `build ${printable(event.build.id, MAX_ID)}: ${counted(event.missing, 'image')} to send (${formatBytes(event.missingBytes)})`,
          );
          break;
        case 'wait':
          if (waits.note(event)) writeLine(stdout, waits.text(event.arrived) ?? '');
          break;
        case 'done':
          writeLine(
            stdout,
            `${event.arrived} of ${event.files} uploaded: ${event.path}${event.how === 'sent' ? '' : ` (${HOW[event.how]})`}`,
          );
          break;
        case 'failed':
          writeLine(stderr, failureLine(event));
          break;
        case 'summary':
          for (const line of summaryLines(event)) writeLine(stdout, line);
          break;
      }
    },
    close: () => undefined,
  };
}

const HOW = { kept: 'already there', duplicate: 'same bytes as another file' } as const;
