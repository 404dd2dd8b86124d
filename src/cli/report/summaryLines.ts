import { counted, printable } from '../../request/printable.js';
import type { FailedEvent, SummaryEvent } from '../../node/UploadBuildEvent.js';
import { withOptionNames } from '../withOptionNames.js';
import { formatDuration } from '../../request/duration.js';
import { formatBytes } from './formatBytes.js';

/** Characters of a build's id that are shown: the server chooses it. */
export const MAX_ID = 100;

/** Reasons for which uploads were stopped, in words that go on with a comma. */
export const STOPPED = {
  'max-failures': ', as too many files failed',
  deadline: ', as the deadline passed',
  aborted: ', as it was stopped',
} as const;

/** Files that a line about failures names. */
const NAMED = 3;

/** Outcome of an upload, in lines: numbers, remedies for the files that failed, the build. */
export function summaryLines(summary: SummaryEvent, failures: readonly FailedEvent[]): string[] {
  const { files, arrived, kept, duplicates, bytes, sentBytes, requests, throttled, waited, elapsed } = summary;
  const unsent = [...(kept > 0 ? [`${kept} already there`] : []), ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : [])];
  const spared = unsent.length > 0 ? `, ${formatBytes(sentBytes)} sent; ${unsent.join(', ')}` : '';
  return [
    `${arrived} of ${counted(files, 'file')} uploaded (${formatBytes(bytes)}${spared}) in ${formatDuration(elapsed)}`,
    `${counted(requests, 'request')} sent, ${throttled} answered 429, ${formatDuration(waited)} waited`,
    ...remedyLines(failures),
    outcomeLine(summary),
  ];
}

/** Remedies of failures, one line each: the number of files, their names, the remedy. */
function remedyLines(failures: readonly FailedEvent[]): string[] {
  const byRemedy = new Map<string, string[]>();
  for (const { remedy, path } of failures) byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), path]);
  return [...byRemedy].map(([remedy, paths]) => {
    const more = paths.length - NAMED;
    const names = `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `${counted(paths.length, 'file')} failed (${names}): ${withOptionNames(remedy)}`;
  });
}

/** True if a target has no builds: its place for the files takes their stead. */
export function hasNoBuilds({ id, url }: SummaryEvent['build']): boolean {
  return id === '' && url !== '';
}

/** The build and its URL, or the reason why it was not completed; for a target without builds the place that the files went to. */
export function outcomeLine({ build, completed, failed, stopped, requests }: SummaryEvent): string {
  if (hasNoBuilds(build)) return completed ? `all are at ${build.url}` : 'not all arrived: send them again';
  const id = printable(build.id, MAX_ID);
  if (completed) return `build ${id}${failed > 0 ? `, without ${counted(failed, 'file')} that failed` : ''}: ${build.url}`;
  const why = stopped === undefined ? '' : STOPPED[stopped];
  if (build.id === '')
    return requests === 0 ? `no build was made${why}` : `no build was confirmed${why}: look whether there is one before you upload again`;
  return `build ${id} was not completed${why}: upload again, what has arrived is not sent twice`;
}

/** One line for a file that did not arrive. */
export function failureLine({ path, reason, attempts }: FailedEvent): string {
  return `failed: ${path}: ${withOptionNames(reason)}${attempts > 1 ? ` (${attempts} attempts)` : ''}`;
}
