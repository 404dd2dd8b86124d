import type { FailedEvent, SummaryEvent } from '../../../node/UploadBuildEvent.js';
import { isHttpUrl } from '../../../request/urls.js';
import { formatDuration } from '../../../request/duration.js';
import { counted, printable } from '../../../request/printable.js';
import { withOptionNames } from '../../withOptionNames.js';
import { formatBytes } from '../formatBytes.js';
import { type Report, SILENT } from '../Report.js';
import type { ReportFile } from '../ReportFile.js';
import { hasNoBuilds, MAX_ID, outcomeLine, STOPPED } from '../summaryLines.js';

/** Failed files that are listed: GitHub takes 1 MiB for a step. */
const LISTED = 100;

/** A summary in Markdown, for the page of a CI job (`--summary "$GITHUB_STEP_SUMMARY"`). It is appended to the file's content. */
export function markdownSummary(file: ReportFile): Report {
  const failures: FailedEvent[] = [];
  let summary: SummaryEvent | undefined;
  return {
    ...SILENT,
    show: (event) => {
      if (event.type === 'failed') failures.push(event);
      if (event.type === 'summary') summary = event;
    },
    close: (failure) => {
      file.write(markdown(summary, failures, failure));
      file.close();
    },
  };
}

function markdown(summary: SummaryEvent | undefined, failures: readonly FailedEvent[], failure: string | undefined): string {
  const title = summary ? `${summary.arrived} of ${counted(summary.files, 'screenshot')} uploaded` : 'Screenshots not uploaded';
  return `${[
    `## ${title}`,
    ...(failure === undefined ? [] : [code(failure)]),
    ...(summary ? [facts(summary)] : []),
    ...(failures.length > 0 ? [failureTable(failures)] : []),
  ].join('\n\n')}\n\n`;
}

function facts(summary: SummaryEvent): string {
  const { bytes, sentBytes, kept, duplicates, requests, throttled, waited, elapsed } = summary;
  const rows = [
    hasNoBuilds(summary.build) ? ['Target', targetCell(summary)] : ['Build', buildCell(summary)],
    ['Bytes', `${formatBytes(bytes)}, ${formatBytes(sentBytes)} sent`],
    ...(kept + duplicates > 0 ? [['Not sent', `${kept} already there, ${counted(duplicates, 'duplicate')}`]] : []),
    ['Requests', `${requests}, ${throttled} answered 429`],
    ['Time', `${formatDuration(elapsed)}, ${formatDuration(waited)} waited`],
  ];
  return ['| | |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function targetCell({ build: { url }, completed }: SummaryEvent): string {
  return completed ? link(code(url), url) : `${code(url)}: not all arrived, send them again`;
}

function buildCell(summary: SummaryEvent): string {
  const { build, completed, failed, stopped } = summary;
  if (build.id === '') return outcomeLine(summary);
  const id = code(printable(build.id, MAX_ID));
  if (completed) return `${link(id, build.url)}${failed > 0 ? `, without ${counted(failed, 'file')} that failed` : ''}`;
  const why = stopped === undefined ? '' : STOPPED[stopped];
  return `${id} was not completed${why}: upload again, what has arrived is not sent twice`;
}

function failureTable(failures: readonly FailedEvent[]): string {
  const rows = failures
    .slice(0, LISTED)
    .map(
      ({ path, reason, remedy, attempts }) =>
        `| ${code(path)} | ${code(withOptionNames(reason))} | ${withOptionNames(remedy)} | ${attempts} |`,
    );
  const rest = failures.length - LISTED;
  return [
    `### ${counted(failures.length, 'file')} failed`,
    ['| File | Reason | Remedy | Attempts |', '|---|---|---|---|', ...rows].join('\n'),
    ...(rest > 0 ? [`... and ${rest} more`] : []),
  ].join('\n\n');
}

/** Foreign text as code: a reference for each sign that Markdown or HTML could read, so that it links, mentions and formats nothing. */
function code(text: string): string {
  const inert = printable(text).replace(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
  return `<code>${inert}</code>`;
}

/** A link, where the URL is http(s). Its `href` has no blanks, no `<` and no `>`. */
function link(text: string, url: string): string {
  return isHttpUrl(url)
    ? `<a href="${new URL(url).href.replace(/[&"'|]/g, (character) => `&#${character.charCodeAt(0)};`)}">${text}</a>`
    : text;
}
