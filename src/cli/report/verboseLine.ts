import type { UploadBuildEvent } from '../../node/UploadBuildEvent.js';
import { counted } from '../../request/printable.js';
import { withOptionNames } from '../withOptionNames.js';
import { formatDuration } from '../../request/duration.js';
import { formatBytes } from './formatBytes.js';

/** Hexadecimal digits of a key that are shown: enough to tell files apart. */
const KEY_DIGITS = 12;

/** Details of an event in one line, for `--verbose`; undefined for an event that has none beside the usual line. */
export function verboseLine(event: UploadBuildEvent): string | undefined {
  switch (event.type) {
    case 'hashed':
      return `read ${event.path}: ${formatBytes(event.bytes)}, SHA-256 ${event.key.slice(0, KEY_DIGITS)}, ${event.hashed} of ${event.files}`;
    case 'wait': {
      const { step, path, host, attempt, delay, kind, source, status, reason, position, windowsLeft } = event;
      const why = status === undefined ? reason && withOptionNames(reason) : `status ${status}`;
      return [
        `wait: ${path === undefined ? step : `${step} ${path}`}: attempt ${attempt} at ${host}: ${formatDuration(delay)} (${kind}, ${source})`,
        ...(why === undefined ? [] : [why]),
        ...(position === undefined ? [] : [`${counted(position, 'request')} before it`]),
        ...(windowsLeft === undefined ? [] : [`${counted(windowsLeft, 'window')} left`]),
      ].join(', ');
    }
    case 'done':
      return `arrived ${event.path}: ${formatBytes(event.bytes)}, ${event.how}, ${counted(event.attempts, 'attempt')}`;
    case 'completed':
      return `build completed by ${counted(event.requests, 'request')}`;
    default:
      return undefined;
  }
}
