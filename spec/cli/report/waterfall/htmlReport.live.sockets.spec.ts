import { request } from 'node:http';
import { coldFetch, serverSentEvents } from 'coldfetch';
import type { Page } from 'playwright-core';
import { firstValueFrom, lastValueFrom, map, type Observable, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { liveReport } from '../../../../src/cli/report/waterfall/htmlReport.js';
import type { TraceChanges } from '../../../../src/cli/report/waterfall/UploadTrace.js';
import { folderOf } from '../../../node/support.js';
import { launchChromium } from '../../../support/chromium.js';
import { needsChromium } from '../../../support/needs.js';
import { coldfetch, worldOf } from '../../support.js';
import { done, hashed, summary } from '../support.js';

/** A live page of a folder, until the spec is over. */
async function live(files: Record<string, string> = {}) {
  const { io, stderr } = worldOf();
  const report = await liveReport(await folderOf(files), io);
  let closed = false;
  const close = (failure?: string): void => {
    if (!closed) report.close(failure);
    closed = true;
  };
  onTestFinished(() => close());
  const [, url = ''] = /^live page: (http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/)\n$/.exec(stderr()) ?? [];
  return { url, show: report.show, close };
}

const changes = (url: string, since = 0): Observable<TraceChanges> =>
  serverSentEvents((headers) => coldFetch(`${url}events?since=${since}`, { headers }), { reconnect: 'never' }).pipe(
    map(({ data }) => JSON.parse(data) as TraceChanges),
  );

/** Status of a request whose header fields a browser would not let a page set. */
function statusOf(url: string, options: { headers?: Record<string, string>; method?: string; path?: string }): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('liveReport', () => {
  it('sends the state at once, then what changes, then the end, and is gone', async () => {
    const { url, show, close } = await live();
    for (const path of ['a.png', 'b.png']) show({ ...hashed(path), files: 3 });
    const heard: TraceChanges[] = [];
    const all = lastValueFrom(
      changes(url).pipe(
        map((change) => {
          heard.push(change);
          if (heard.length === 1) show(done('b.png'));
          if (heard.length === 2) {
            show(summary());
            close();
          }
          return change;
        }),
        toArray(),
      ),
    );
    const told = await all;
    expect(told[0]?.rows.map(([, { label }]) => label)).toEqual(['Look at the files', 'a.png', 'b.png']);
    expect(told.slice(1).flatMap(({ rows }) => rows.map(([, { label }]) => label))).toContain('b.png');
    expect(told.slice(1).flatMap(({ rows }) => rows.map(([, { label }]) => label))).not.toContain('Look at the files');
    expect(told.at(-1)?.state).toBe('completed');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('goes on where a reader has lost it', async () => {
    const { url, show } = await live();
    show(hashed('a.png'));
    const { version } = await firstValueFrom(changes(url));
    show(done('a.png'));
    expect((await firstValueFrom(changes(url, version))).rows.map(([, { label }]) => label)).not.toContain('Look at the files');
  });

  it('refuses a foreign Host, another method, and any path but its own', async () => {
    const { url } = await live();
    const { origin, pathname, port } = new URL(url);
    expect([
      await statusOf(url, {}),
      await statusOf(url, { headers: { host: `localhost:${port}` } }),
      await statusOf(url, { headers: { host: 'evil.example.com' } }),
      await statusOf(url, { headers: { host: `evil.example.com:${port}` } }),
      await statusOf(url, { method: 'POST' }),
      await statusOf(origin, { path: '/' }),
      await statusOf(origin, { path: pathname.slice(0, -2) }),
      await statusOf(origin, { path: `${pathname}nothing` }),
    ]).toEqual([200, 200, 403, 403, 405, 404, 404, 404]);
  });

  it('serves images of the upload, and no other file', async () => {
    const { url, show } = await live({ 'a.png': 'image', 'text.txt': 'x' });
    for (const path of ['a.png', 'text.txt', '../a.png', 'gone.png']) show(hashed(path));
    const answers = await Promise.all([0, 1, 2, 3, 4, 9].map((index) => fetch(`${url}files/${index}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 404, 404, 404, 404]);
    expect([await answers[1]?.text(), answers[1]?.headers.get('content-type')]).toEqual(['image', 'image/png']);
  });

  it('ends though a reader does not read', async () => {
    const { url, show, close } = await live();
    for (let index = 0; index < 30_000; index++) show(hashed(`${'long-name-'.repeat(20)}${index}.png`));
    const response = await firstValueFrom(coldFetch(`${url}events`));
    close();
    await expect(response.text()).rejects.toThrow();
  });
});

describe('coldfetch upload --live', () => {
  it('tells the page on the error output', async () => {
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), '--embedded', '--live', '--quiet']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^live page: http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/\n$/)]);
  });
});

needsChromium('the live page in a browser', () => {
  async function open(url: string): Promise<{ page: Page; problems: string[] }> {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(url);
    return { page, problems };
  }

  it('follows the upload to its end, and stays', async () => {
    const { url, show, close } = await live({ 'a.png': 'x' });
    show({ ...hashed('a.png'), files: 2 });
    const { page, problems } = await open(url);
    await page.getByText('0 of 2 files uploaded so far').waitFor();
    show({ ...hashed('b.png'), hashed: 2, files: 2 });
    await page.locator('.row .name', { hasText: 'b.png' }).waitFor();
    show({ ...done('a.png'), files: 2 });
    show(summary());
    close();
    await page.getByText('2 of 2 files uploaded').waitFor();
    expect(await page.locator('.badge').textContent()).toBe('complete');
    expect([await page.locator('.row.arrived .name').allTextContents(), problems]).toEqual([
      expect.arrayContaining(['Look at the files', 'a.png']),
      [],
    ]);
  });
});
