import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../../src/cli/report/ci/junitReport.js';
import { done, failed, hashed, HOSTILE, memoryFile, summary } from '../support.js';

describe('junitReport', () => {
  it('has a test case for each screenshot, and one for the build', () => {
    const { file, text, closed } = memoryFile();
    const report = junitReport(file);
    for (const event of [hashed('a.png'), hashed('b.png'), done('a.png'), failed('b.png'), summary({ completed: false })])
      report.show(event);
    report.close();
    expect([text(), closed()]).toEqual([
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coldfetch upload" tests="3" failures="1" errors="1" skipped="0" time="12.000">
  <testsuite name="screenshots" tests="3" failures="1" errors="1" skipped="0" time="12.000">
    <testcase classname="coldfetch.screenshots" name="a.png"/>
    <testcase classname="coldfetch.screenshots" name="b.png"><failure message="refused"/></testcase>
    <testcase classname="coldfetch.build" name="build"><error message="The build was not completed"/></testcase>
  </testsuite>
</testsuites>
`,
      true,
    ]);
  });

  it('skips the screenshots that an upload did not come to', () => {
    const { file, text } = memoryFile();
    const report = junitReport(file);
    for (const event of [hashed('a.png'), hashed('b.png'), done('a.png')]) report.show(event);
    report.close('The upload was stopped by a signal');
    expect(text()).toContain('name="b.png"><skipped message="The upload ended before"/></testcase>');
    expect(text()).toContain('<error message="The upload was stopped by a signal"/>');
  });

  it('stays XML, whatever servers and file names say', () => {
    const { file, text } = memoryFile();
    const report = junitReport(file);
    report.show(hashed(`${HOSTILE}\ud800\uffff`));
    report.show(failed(`${HOSTILE}\ud800\uffff`, HOSTILE));
    report.close(HOSTILE);
    const tags = text().replace(/"[^"<>]*"/g, '""');
    expect(tags.match(/<[^>]*>/g)?.join('')).toBe(tags.replace(/\n\s*/g, ''));
    expect(text()).not.toMatch(/(?!\n)\p{Cc}|[\ud800-\udfff\ufffe\uffff]|&(?!#\d+;)/u);
  });
});
