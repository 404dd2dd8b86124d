import { describe, expect, it } from 'vitest';
import { githubAnnotations } from '../../../../src/cli/report/ci/githubAnnotations.js';
import { failed, HOSTILE, sink, summary } from '../support.js';

describe('githubAnnotations', () => {
  it('names each file that failed, and the build', () => {
    const { output, text } = sink();
    const report = githubAnnotations(output, 'shots');
    for (const event of [failed('a, b.png'), summary({ completed: false })]) report.show(event);
    report.close();
    expect(text().split('\n')).toEqual([
      '::error file=shots/a%2C b.png,title=Screenshot not uploaded::a, b.png: refused',
      '::error title=Build not completed::build 1 was not completed: upload again, what has arrived is not sent twice',
      '',
    ]);
  });

  it('gives the URL of a completed build', () => {
    const { output, text } = sink();
    const report = githubAnnotations(output, 'shots');
    report.show(summary());
    report.close();
    expect(text()).toBe('::notice title=Screenshots uploaded::build 1: https://host/1\n');
  });

  it('tells why there is no summary, after the files that had failed', () => {
    const { output, text } = sink();
    const report = githubAnnotations(output, 'shots');
    report.show(failed('a.png'));
    report.close('No build was created');
    expect(text().split('\n').slice(1)).toEqual(['::error title=Upload failed::No build was created', '']);
  });

  it('makes no more than GitHub shows, and counts the rest', () => {
    const { output, text } = sink();
    const report = githubAnnotations(output, '.');
    for (let i = 0; i < 30; i++) report.show(failed(`${i}.png`));
    report.show(summary({ completed: false }));
    report.close();
    const lines = text().trim().split('\n');
    expect([lines.length, lines[8]]).toEqual([10, '::error title=Screenshots not uploaded::22 more files failed; the log names them']);
  });

  it.each([9, 10])('leaves none of %d failed files untold', (count) => {
    const { output, text } = sink();
    const report = githubAnnotations(output, '.');
    for (let i = 0; i < count; i++) report.show(failed(`${i}.png`));
    report.show(summary({ completed: false }));
    const lines = text().trim().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[8]).toContain(count === 9 ? 'file=8.png' : '2 more files failed');
  });

  it('gives no command to a server or a file name', () => {
    const { output, text } = sink();
    const report = githubAnnotations(output, HOSTILE);
    report.show(failed(HOSTILE, HOSTILE));
    report.show(summary({ build: { id: HOSTILE, url: HOSTILE } }));
    report.close(HOSTILE);
    const lines = text().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['::error', '::notice', '::error']);
    expect(lines[0]).toMatch(/^::error file=[^:,]*,title=Screenshot not uploaded::/);
    expect(lines.join('')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    expect(lines[0]).toContain('50%25');
  });
});
