import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waterfallPage } from '../../../src/cli/report/waterfall/waterfallPage.js';
import { playUpload } from '../../cli/report/waterfall/playUpload.js';
import { launchChromium } from '../../support/chromium.js';

/** Sizes of the screens, in px. */
const SCREENS = [
  { width: 1280, height: 1080 },
  { width: 400, height: 1080 },
] as const;

const PAGES = ['desktop', 'tablet', 'phone'];
const NAMES = ['home', 'sign-in', 'search', 'timetable', 'fares', 'journal', 'fleet', 'dashboard', 'settings', 'checkout'];

/** Name of the n-th screenshot of an upload. */
function nameOf(index: number): string {
  const at = (list: readonly string[], position: number): string => list[position % list.length] ?? '';
  return `${at(PAGES, Math.floor(index / 200))}/${at(NAMES, index)}-${Math.floor((index % 200) / 10)}.png`;
}

const folder = await mkdtemp(join(tmpdir(), 'coldfetch-pictures-'));
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  const file = join(folder, 'report.html');
  await writeFile(file, waterfallPage(playUpload(600, nameOf)));
  for (const { width, height } of SCREENS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.goto(pathToFileURL(file).href);
      // Rows around the time at which the quota was used up tell most.
      await page.getByLabel('Find').fill('phone');
      await page.getByLabel('Order').selectOption('first sent');
      await page.evaluate(
        "document.activeElement.blur(), (document.querySelector('#grid').scrollTop = 0.52 * document.querySelector('#grid').scrollHeight)",
      );
      await page.waitForFunction("document.querySelectorAll('.row').length > 10");
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      await page.screenshot({ path: fileURLToPath(new URL(`upload-report-${width}-${colorScheme}.png`, import.meta.url)) });
    }
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
