import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from 'coldfetch/server';
import { of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { htmlReport } from '../../../../src/cli/report/waterfall/htmlReport.js';
import type { PageData } from '../../../../src/cli/report/waterfall/page/PageData.js';
import { folderOf } from '../../../node/support.js';
import { coldfetch } from '../../support.js';
import { done, hashed, memoryFile } from '../support.js';

/** The data of a page. */
function dataOf(page: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json) as PageData;
}

async function server() {
  const bad = createHash('sha256').update('bad').digest('hex');
  const started = await startServer({ flaky: { routes: `POST /storage/${bad}`, failures: 1, status: 503 } });
  onTestFinished(() => started.close());
  return ['--api', started.apiUrl, '--token', 'x', '--commit', 'c'.repeat(40), '--branch', 'main'];
}

describe('coldfetch upload --report', () => {
  it('writes the course of each file, and the images', async () => {
    const folder = await folderOf({ 'a.png': 'fine', 'sub/b.png': 'bad' });
    const { code, stderr } = await coldfetch(['upload', folder, ...(await server()), '--report', 'out/report.html'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    const { trace, thumbnails } = dataOf(await readFile(join(folder, 'out/report.html'), 'utf8'));
    expect(trace).toMatchObject({ state: 'completed', totals: { files: 2, arrived: 2, requests: 5 } });
    const attempts = trace.rows.flatMap(({ label, attempts }) => attempts.map(({ status }) => [label, status]));
    expect(attempts.filter(([label]) => String(label).endsWith('.png')).sort()).toEqual([
      ['a.png', 204],
      ['sub/b.png', 204],
      ['sub/b.png', 503],
    ]);
    expect(thumbnails).toEqual({
      'a.png': `data:image/png;base64,${btoa('fine')}`,
      'sub/b.png': `data:image/png;base64,${btoa('bad')}`,
    });
  });

  it('writes how far an upload came that was stopped', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const { code } = await coldfetch(['upload', folder, ...(await server()), '--report', 'report.html'], {
      cwd: folder,
      stop$: of('SIGINT'),
    });
    expect(code).toBe(130);
    expect(dataOf(await readFile(join(folder, 'report.html'), 'utf8')).trace).toMatchObject({
      state: 'stopped',
    });
  });

  it('names a file that cannot be written, before anything is sent', async () => {
    const { code, stderr } = await coldfetch(['upload', '/nowhere', '--embedded', '--report', '/dev/null/report.html']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^coldfetch: --report: cannot write \/dev\/null\/report\.html \(\w+\)/)]);
  });
});

describe('htmlReport', () => {
  it('has no image of a file that is gone, has changed, or is no image', async () => {
    const folder = await folderOf({ 'a.png': 'x', 'changed.png': 'longer', 'text.txt': 'x' });
    const { file, text, closed } = memoryFile();
    const report = htmlReport(file, folder);
    report.start();
    for (const path of ['a.png', 'gone.png', 'changed.png', 'text.txt']) for (const event of [hashed(path), done(path)]) report.show(event);
    await rm(join(folder, 'gone.png'), { force: true });
    report.close();
    expect([Object.keys(dataOf(text()).thumbnails), closed()]).toEqual([['a.png'], true]);
  });
});
