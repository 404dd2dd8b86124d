import type { FailedEvent } from '../../../node/UploadBuildEvent.js';
import { printable } from '../../../request/printable.js';
import { withOptionNames } from '../../withOptionNames.js';
import type { ReportFile } from '../ReportFile.js';
import { type Report, SILENT } from '../Report.js';

/** Outcome of one screenshot: pending until it has arrived or failed. */
type Outcome = 'pending' | 'arrived' | FailedEvent;

/**
 * A JUnit report, which most CI services show: one test case for each screenshot, passed where it arrived, skipped where the upload ended
 * before, and one for the build.
 */
export function junitReport(file: ReportFile): Report {
  const outcomes = new Map<string, Outcome>();
  let elapsed = 0;
  let isCompleted = false;
  return {
    ...SILENT,
    show: (event) => {
      if (event.type === 'hashed') outcomes.set(event.path, 'pending');
      if (event.type === 'done') outcomes.set(event.path, 'arrived');
      if (event.type === 'failed') outcomes.set(event.path, event);
      if (event.type === 'summary') ({ elapsed, completed: isCompleted } = event);
    },
    close: (failure) => {
      const problem = failure ?? (isCompleted ? undefined : 'The build was not completed');
      file.write(junitXml(outcomes, { seconds: elapsed / 1000, problem }));
      file.close();
    },
  };
}

function junitXml(outcomes: ReadonlyMap<string, Outcome>, { seconds, problem }: { seconds: number; problem: string | undefined }): string {
  const all = [...outcomes.values()];
  const counts = [
    `tests="${all.length + 1}"`,
    `failures="${all.filter((outcome) => typeof outcome === 'object').length}"`,
    `errors="${problem === undefined ? 0 : 1}"`,
    `skipped="${all.filter((outcome) => outcome === 'pending').length}"`,
    `time="${seconds.toFixed(3)}"`,
  ].join(' ');
  const cases = [...outcomes].map(([path, outcome]) => testCase('screenshots', path, detailsOf(outcome)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="coldfetch upload" ${counts}>`,
    `  <testsuite name="screenshots" ${counts}>`,
    ...cases,
    testCase('build', 'build', problem === undefined ? '' : `<error message="${escapeXml(problem)}"/>`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, name: string, details: string): string {
  const attributes = `classname="coldfetch.${suite}" name="${escapeXml(name)}"`;
  return details === '' ? `    <testcase ${attributes}/>` : `    <testcase ${attributes}>${details}</testcase>`;
}

function detailsOf(outcome: Outcome): string {
  if (outcome === 'arrived') return '';
  if (outcome === 'pending') return '<skipped message="The upload ended before"/>';
  return `<failure message="${escapeXml(withOptionNames(outcome.reason))}"/>`;
}

/** Text of an attribute. XML 1.0 knows no control characters and no lone surrogates, not even escaped ones. */
function escapeXml(text: string): string {
  return printable(text)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
