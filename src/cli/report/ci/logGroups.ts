import { wallClock } from '../../../time.js';
import type { Io } from '../../Io.js';

/** Lines that open and close a foldable group in the log of a CI service. */
export interface LogGroups {
  /** @param title the command's own text, without line breaks */
  readonly open: (title: string) => string;
  readonly close: () => string;
}

/** Name of the section, by which GitLab finds its end. */
const SECTION = 'coldfetch_upload';

/** Services that fold logs, by a variable that only they set. */
const SERVICES: readonly (readonly [sign: string, groups: LogGroups])[] = [
  ['GITHUB_ACTIONS', { open: (title) => `::group::${title}\n`, close: () => '::endgroup::\n' }],
  ['TF_BUILD', { open: (title) => `##[group]${title}\n`, close: () => '##[endgroup]\n' }],
  [
    'GITLAB_CI',
    {
      open: (title) => `\x1b[0Ksection_start:${seconds()}:${SECTION}[collapsed=true]\r\x1b[0K${title}\n`,
      close: () => `\x1b[0Ksection_end:${seconds()}:${SECTION}\r\x1b[0K\n`,
    },
  ],
  // A group ends where the next one begins; `+++` begins one that is not folded.
  ['BUILDKITE', { open: (title) => `--- ${title}\n`, close: () => '+++ Result\n' }],
];

/** The groups of the CI service that runs this process; undefined where it folds none. */
export function logGroups(env: Io['env']): LogGroups | undefined {
  return SERVICES.find(([sign]) => env[sign])?.[1];
}

function seconds(): number {
  return Math.floor(wallClock() / 1000);
}
