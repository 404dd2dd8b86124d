import { counted } from '../../request/counted.js';
import type { FailedEvent, SummaryEvent } from '../../node/UploadBuildEvent.js';
import { inOptions } from '../inOptions.js';
import { printable } from '../../request/printable.js';
import { formatBytes, formatDuration } from './format.js';

/** Characters of a build's id that are shown: the server chooses it. */
export const MAX_ID = 100;

/** Outcome of an upload, in lines. */
export function summaryLines(summary: SummaryEvent): string[] {
  const { files, arrived, kept, duplicates, bytes, sentBytes, requests, throttled, waited, elapsed } = summary;
  const unsent = [...(kept > 0 ? [`${kept} already there`] : []), ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : [])];
  const spared = unsent.length > 0 ? `, ${formatBytes(sentBytes)} sent; ${unsent.join(', ')}` : '';
  return [
    `${arrived} of ${counted(files, 'file')} uploaded (${formatBytes(bytes)}${spared}) in ${formatDuration(elapsed)}`,
    `${counted(requests, 'request')} sent, ${throttled} answered 429, ${formatDuration(waited)} waited`,
    outcomeLine(summary),
  ];
}

/** The build and its URL, or that it was not completed. */
export function outcomeLine({ build, completed }: SummaryEvent): string {
  const id = printable(build.id, MAX_ID);
  return completed ? `build ${id}: ${build.url}` : `build ${id} was not completed: upload again, what has arrived is not sent twice`;
}

/** One line for a file that did not arrive. */
export function failureLine({ path, reason, attempts }: FailedEvent): string {
  return `failed: ${path}: ${inOptions(reason)}${attempts > 1 ? ` (${attempts} attempts)` : ''}`;
}
