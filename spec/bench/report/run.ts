/**
 * Scrolling of an upload's report in Chromium, from its first row to its last: `npm run bench:report`. Frames, tasks of the page that held one up, and rows
 * in the document are counted. Writes its table into the guide `upload-report.md`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { waterfallPage } from '../../../src/cli/report/waterfall/waterfallPage.js';
import { playUpload } from '../../cli/report/waterfall/playUpload.js';
import { launchChromium } from '../../support/chromium.js';
import { writeSection } from '../http/guide.js';
import { table } from '../http/tables.js';

/** Frames in which the list is scrolled from its beginning to its end. */
const FRAMES = 600;

/** Outcome of one scroll, in the page. */
interface Scrolled {
  readonly frames: number;
  readonly longTasks: number;
  readonly longest: number;
  readonly median: number;
  readonly rows: number;
}

// Runs in the page. A long task is one above 50 ms, as browsers tell them.
const SCROLL = `new Promise((resolve) => {
  const grid = document.querySelector('#grid');
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const drawn = [];
  let rows = 0;
  let frame = 0;
  const step = () => {
    const began = performance.now();
    frame++;
    grid.scrollTop = (frame / ${FRAMES}) * (grid.scrollHeight - grid.clientHeight);
    // The page draws its rows in the frame after an event: this is behind it.
    requestAnimationFrame(() => setTimeout(() => {
      drawn.push(performance.now() - began);
      rows = Math.max(rows, document.querySelectorAll('.row').length);
      if (frame < ${FRAMES}) step();
      else setTimeout(() => {
        observer.disconnect();
        drawn.sort((a, b) => a - b);
        resolve({ frames: drawn.length, longTasks: tasks.length, longest: Math.max(0, ...tasks), median: drawn[drawn.length >> 1], rows });
      }, 200);
    }));
  };
  grid.scrollTop = 0;
  setTimeout(step, 500);
})`;

const folder = await mkdtemp(join(tmpdir(), 'coldfetch-report-'));
const browser = await launchChromium();
try {
  const rows: string[][] = [];
  for (const files of [200, 20_000]) {
    const file = join(folder, `${files}.html`);
    await writeFile(file, waterfallPage(playUpload(files)));
    for (const width of [1280, 400]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      await page.goto(pathToFileURL(file).href);
      await page.waitForSelector('.row');
      const { frames, longTasks, longest, median, rows: drawn } = await page.evaluate<Scrolled>(SCROLL);
      const tasks = longTasks === 0 ? 'none' : `${longTasks}, the longest ${Math.round(longest)} ms`;
      rows.push([files.toLocaleString('en'), `${width} px`, String(frames), `${median.toFixed(1)} ms`, tasks, String(drawn)]);
      await page.close();
    }
  }
  const head = ['files', 'screen', 'frames', 'median of a frame', 'tasks above 50 ms', 'rows in the document'];
  await writeSection('scrolling', table(head, rows), 'upload-report.md');
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
