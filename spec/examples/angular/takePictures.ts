import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.js';
import { pack } from '../../support/packedProject.js';
import { angularProject } from './angularProject.js';
import { type ArchiveServer, startArchiveServer } from './archiveServer.js';
import { chooseFiles } from './chooseFiles.js';

/** Sizes of the screens, in px. */
const SCREENS = [
  { width: 1280, height: 720 },
  { width: 400, height: 800 },
] as const;

const tooMany = { status: 429, headers: { 'retry-after': '12' } };

/** Ways to what a picture shows, by its name. */
const SCENES: Readonly<Record<string, (page: Page, server: ArchiveServer) => Promise<void>>> = {
  waiting: async (page, server) => {
    server.script('GET photos', tooMany);
    await page.goto(server.url);
    await page.getByText('12,480').waitFor();
    await page.locator('app-wait-notice').waitFor();
  },
  failing: async (page, server) => {
    server.script('POST photos?name=fish-market', { status: 413 });
    server.script('POST photos?name=low-tide', 'hold');
    server.script('POST photos?name=regatta', tooMany);
    await page.goto(`${server.url}/upload`);
    await chooseFiles(page, {
      'north-mole.jpg': 2_400_000,
      'fish-market.jpg': 8_000_000,
      'low-tide.jpg': 9_200_000,
      'regatta.jpg': 3_100_000,
    });
    await page.getByRole('button', { name: 'Upload 4 files' }).click();
    await page.getByText('The server answered with an error (413)').waitFor();
    await page.locator('app-wait-notice').waitFor();
    await page.getByText(/^\s*[1-9][\d.]* MB of 9\.2 MB\s*$/).waitFor();
  },
  done: async (page, server) => {
    await page.goto(server.url);
    await page.locator('app-picture').first().waitFor();
    await page.getByText('12,480').waitFor();
    await page.getByText('Ada Lindqvist').waitFor({ state: 'attached' });
  },
};

const { tarball, remove } = await pack();
const project = await angularProject('22', tarball);
const browser = await launchChromium();
try {
  const { ok, output } = await project.run('npm', ['run', '--silent', 'build']);
  if (!ok) throw new Error(`ng build failed:\n${output}`);
  for (const viewport of SCREENS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [name, arrange] of Object.entries(SCENES)) {
        const server = await startArchiveServer(join(project.path, 'dist'));
        const page = await browser.newPage({ viewport, colorScheme });
        // The spread that a policy adds to a wait is left out.
        await page.addInitScript('Math.random = () => 0');
        await arrange(page, server);
        const file = `../../guides/pictures/angular-${name}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ fullPage: true, path: fileURLToPath(new URL(file, import.meta.url)) });
        await page.close();
        await server.close();
      }
    }
  }
} finally {
  await browser.close();
  await project.remove();
  await remove();
}
