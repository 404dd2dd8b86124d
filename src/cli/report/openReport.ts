import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Io } from '../Io.js';
import { barReport } from './barReport.js';
import { githubAnnotations } from './ci/githubAnnotations.js';
import { junitReport } from './ci/junitReport.js';
import { logGroups } from './ci/logGroups.js';
import { markdownSummary } from './ci/markdownSummary.js';
import { jsonReport, logReport } from './jsonReport.js';
import { lineReport, quietReport } from './lineReport.js';
import { allReports, type Report } from './Report.js';
import { openReportFile } from './ReportFile.js';
import { htmlReport, liveReport } from './waterfall/htmlReport.js';

/** Options for showing an upload. */
export interface ReportOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly annotations?: readonly Annotations[];
  readonly summary?: string;
  readonly log?: string;
  /** File of the waterfall page. */
  readonly report?: string;
  /** Serve that page while the upload goes on. */
  readonly live?: boolean;
}

/** Annotations for a CI service. */
export type Annotations = { readonly format: 'github' } | { readonly format: 'junit'; readonly file: string };

/** File of a JUnit report, where the option names none. */
const JUNIT_FILE = 'coldfetch-junit.xml';

/** Reads `github`, `junit` or `junit=FILE`, for an option that may be given several times. @throws InvalidArgumentError for another text */
export function annotationsOption(text: string, before: readonly Annotations[] = []): readonly Annotations[] {
  if (text === 'github') return [...before, { format: 'github' }];
  const [, file = JUNIT_FILE] = /^junit(?:=(.+))?$/s.exec(text) ?? [undefined, ''];
  if (file === '') throw new InvalidArgumentError('Allowed choices are github, junit, junit=FILE.');
  return [...before, { format: 'junit', file }];
}

/**
 * The reports of an upload, on the screen and in files.
 *
 * @param dir folder of the screenshots, as given
 * @throws UsageError for a file that cannot be written
 */
export async function openReport(dir: string, options: ReportOptions, io: Io): Promise<Report> {
  const { annotations = [], summary, log, report, live = false } = options;
  const folder = resolve(io.cwd, dir);
  const reports = [
    ...(log === undefined ? [] : [logReport(openReportFile('--log', log, 'anew', io))]),
    screenReport(options, io),
    ...(summary === undefined ? [] : [markdownSummary(openReportFile('--summary', summary, 'added', io))]),
    ...(report === undefined ? [] : [htmlReport(openReportFile('--report', report, 'whole', io), folder)]),
    ...annotations.map((each) =>
      each.format === 'github'
        ? githubAnnotations(io.stderr, dir)
        : junitReport(openReportFile('--annotations junit', each.file, 'whole', io)),
    ),
  ];
  // The live page is the last to be opened: a file that cannot be written leaves no server behind.
  return allReports(live ? [...reports, await liveReport(folder, io)] : reports);
}

function screenReport({ json = false, quiet = false, verbose = false }: ReportOptions, io: Io): Report {
  if (json) return jsonReport(io.stdout);
  if (quiet) return quietReport(io.stderr);
  return canRedraw(io) && !verbose ? barReport(io) : lineReport(io, { verbose, groups: logGroups(io.env) });
}

/** True if lines can be drawn over: on a terminal that knows cursor codes, and in no CI log. */
function canRedraw({ stdout, env }: Io): boolean {
  return stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}
