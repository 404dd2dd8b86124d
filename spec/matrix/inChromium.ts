import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { bundleForPage } from './bundleChecks.js';
import type { CheckResult } from './checks/Check.js';
import { startCheckServer } from './startCheckServer.js';

/** Runs the whole list in a worker, and gives its results. */
const IN_WORKER = `new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js');
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(location.origin);
})`;

/**
 * Runs the checks in Chromium.
 *
 * @param project path of a project whose packages are tried
 */
export async function inChromium(place: 'page' | 'worker', project: string): Promise<readonly CheckResult[]> {
  const checks = await bundleForPage('runInPage', project);
  const server = await startCheckServer({
    '/': '<!doctype html><title>checks</title><script src="/checks.js"></script>',
    '/checks.js': checks,
    '/worker.js': `${checks}\nonmessage = async ({ data }) => postMessage(await runAll(data));`,
    '/stand-in': '<!doctype html><title>stand-in</title><script src="/standIn.js"></script>',
    '/standIn.js': await bundleForPage('standInPage', project),
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    if (place === 'worker') return await page.evaluate<readonly CheckResult[]>(IN_WORKER);
    const all = await results(page, 'runAll');
    await page.goto(`${server.url}/stand-in`);
    return [...all, ...(await results(page, 'runStandIn'))];
  } finally {
    await browser.close();
    await server.close();
  }
}

function results(page: Page, run: 'runAll' | 'runStandIn'): Promise<readonly CheckResult[]> {
  return page.evaluate<readonly CheckResult[]>(`${run}(location.origin)`);
}
