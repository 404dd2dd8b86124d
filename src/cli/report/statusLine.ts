import { printable } from '../../request/printable.js';
import { formatBytes } from './formatBytes.js';

/** Progress of an upload at one moment. */
export interface Status {
  /** Bytes that have arrived or are being sent, and all bytes to be sent. */
  readonly loaded: number;
  readonly size: number;
  /** Remark behind the numbers: the files so far, or a wait. It matters most, so it is the last to be cut. */
  readonly note: string;
}

/** The widest and the narrowest bar, in columns. */
const [WIDEST, NARROWEST] = [24, 8];

/**
 * The status as one line that fits a terminal. Where there is little room the bar shrinks, the bytes go, the bar goes, and only then is the
 * note cut.
 *
 *     ████████████░░░░░░░░░░░░  50 % | 1.1 MB of 2.2 MB | 18 of 36 uploaded
 *
 * @param columns of the terminal; the last one stays free, so that no terminal wraps the line
 */
export function statusLine({ loaded, size, note }: Status, columns: number): string {
  const share = Math.min(size > 0 ? loaded / size : 0, 1);
  const percentage = `${String(Math.floor(share * 100)).padStart(3)} %`;
  const bytes = `${formatBytes(loaded)} of ${formatBytes(size)}`;
  const room = columns - 1;
  const text = printable(note);
  const full = `${percentage} | ${bytes} | ${text}`;
  const short = `${percentage} | ${text}`;
  for (const line of [full, short]) {
    const left = room - line.length - 1;
    if (left >= NARROWEST) return `${bar(share, Math.min(left, WIDEST))} ${line}`;
  }
  return short.length <= room ? short : `${short.slice(0, Math.max(room - 1, 0))}…`;
}

function bar(share: number, width: number): string {
  const filled = Math.round(share * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}
