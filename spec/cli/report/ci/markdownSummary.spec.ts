import { describe, expect, it } from 'vitest';
import { markdownSummary } from '../../../../src/cli/report/ci/markdownSummary.js';
import { failed, HOSTILE, memoryFile, summary } from '../support.js';

describe('markdownSummary', () => {
  it('tells the build, the numbers and the files that failed', () => {
    const { file, text, closed } = memoryFile();
    const report = markdownSummary(file);
    for (const event of [failed('b.png'), summary({ arrived: 1, completed: false, kept: 1 })]) report.show(event);
    report.close();
    expect([text(), closed()]).toEqual([
      `## 1 of 2 screenshots uploaded

| | |
|---|---|
| Build | <code>1</code> was not completed: upload again, what has arrived is not sent twice |
| Bytes | 2.0 KB, 2.0 KB sent |
| Not sent | 1 already there, 0 duplicates |
| Requests | 5, 1 answered 429 |
| Time | 12 s, 3 s waited |

### 1 file failed

| File | Reason | Remedy | Attempts |
|---|---|---|---|
| <code>b&#46;png</code> | <code>refused</code> | try again | 4 |

`,
      true,
    ]);
  });

  it.each([
    [{ completed: true, failed: 2 }, /<\/a>, without 2 files that failed \|/],
    [{ completed: false, stopped: 'deadline' }, /was not completed, as the deadline passed: upload again/],
    [{ completed: false, stopped: 'max-failures' }, /was not completed, as too many files failed: upload again/],
    [
      { completed: false, stopped: 'deadline', build: { id: '', url: '' } },
      /\| no build was confirmed, as the deadline passed: look whether there is one/,
    ],
  ] as const)('tells what became of the build: %j', (fields, cell) => {
    const { file, text } = memoryFile();
    const report = markdownSummary(file);
    report.show(summary(fields));
    report.close();
    expect(text()).toMatch(cell);
  });

  it('links a completed build', () => {
    const { file, text } = memoryFile();
    const report = markdownSummary(file);
    report.show(summary({ build: { id: '7', url: 'https://host/b|c"d?x=1&y=2' } }));
    report.close();
    expect(text()).toContain('| Build | <a href="https://host/b&#124;c%22d?x=1&#38;y=2"><code>7</code></a> |');
  });

  it('tells why there is no summary', () => {
    const { file, text } = memoryFile();
    markdownSummary(file).close('No token');
    expect(text()).toBe('## Screenshots not uploaded\n\n<code>No token</code>\n\n');
  });

  it('lists a hundred failed files, and counts the rest', () => {
    const { file, text } = memoryFile();
    const report = markdownSummary(file);
    for (let i = 0; i < 20_000; i++) report.show(failed(`${i}.png`, 'x'.repeat(5_000)));
    report.close();
    expect(text()).toContain('... and 19900 more');
    expect(text().length).toBeLessThan(1_000_000);
  });

  it('lets servers and file names format, link and mention nothing', () => {
    const { file, text } = memoryFile();
    const report = markdownSummary(file);
    report.show(failed(HOSTILE, HOSTILE));
    report.show(summary({ build: { id: HOSTILE, url: `javascript:${HOSTILE}` } }));
    report.close(HOSTILE);
    const foreign = [...text().matchAll(/<code>(.*?)<\/code>/gs)].map(([, inner]) => inner);
    expect(foreign).toHaveLength(4);
    for (const inner of foreign) expect(inner).toMatch(/^([\p{L}\p{N} ]|&#\d+;)+$/u);
    expect(text()).not.toContain('<a ');
  });
});
