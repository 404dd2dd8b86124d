import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadTracer } from '../../../../src/cli/report/waterfall/uploadTracer.js';
import { waterfallPage } from '../../../../src/cli/report/waterfall/waterfallPage.js';
import { launchChromium } from '../../../support/chromium.js';
import { needsChromium } from '../../../support/needs.js';
import { done, failed, hashed } from '../support.js';
import { playUpload } from './playUpload.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

needsChromium('the page of an upload in a browser', () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  const trace = playUpload(20_000);
  const failures = trace.rows.filter(({ outcome }) => outcome.type === 'failed').length;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coldfetch-page-'));
    await writeFile(join(folder, 'large.html'), waterfallPage(trace));
    browser = await launchChromium();
    // So that axe can be run in it: the page allows its own script only.
    page = await browser.newPage({ bypassCSP: true });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(message.text()));
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(width = 1280, scheme: 'light' | 'dark' = 'light', file = 'large.html'): Promise<void> {
    problems.length = 0;
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(pathToFileURL(join(folder, file)).href);
    await page.waitForSelector('.row');
  }
  const rowCount = (): Promise<number> => page.locator('.row').count();
  const active = (): Promise<string | null> => page.locator('.row.active .name').getAttribute('title');

  describe.each([1280, 400])('at %i px', (width) => {
    it.each(['light', 'dark'] as const)('has nothing that axe finds, in the %s theme, with 20,000 rows', async (scheme) => {
      await open(width, scheme);
      await page.addScriptTag({ path: AXE });
      const found = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      expect(found).toEqual([]);
      await page.locator('.row').nth(5).click();
      const inDetails = await page.evaluate<string[]>(
        `axe.run('dialog').then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      expect([inDetails, problems]).toEqual([[], []]);
    });

    it('is no wider than the screen', async () => {
      await open(width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });

  it('has only the rows in sight of 20,000, wherever it is scrolled to', async () => {
    await open();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('20004');
    for (const share of [0.3, 0.7, 1]) {
      await page.evaluate(`new Promise((resolve) => {
        const grid = document.querySelector('#grid');
        grid.scrollTop = grid.scrollHeight * ${share};
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      })`);
      expect(await rowCount()).toBeLessThan(80);
      expect(await rowCount()).toBeGreaterThan(20);
    }
    expect(await page.locator('.row .name').last().textContent()).toBe('Complete');
  });

  it('finds rows by a part of their name, by their outcome, and in another order', async () => {
    await open();
    await page.getByLabel('Find').fill('SCREEN-0012');
    await page.waitForFunction("document.querySelectorAll('.row').length === 10");
    expect(await page.locator('output').textContent()).toBe('10 of 20003 rows');
    await page.getByLabel('Find').fill('');
    await page.getByLabel('Show', { exact: true }).selectOption('failed');
    await page.waitForFunction(`document.querySelectorAll('.row').length === ${failures}`);
    expect(await page.locator('.row .word').first().textContent()).toBe('failed: 403');
    await page.getByLabel('Order', { exact: true }).selectOption('by name');
    await page.getByLabel('Find').fill('nothing like it');
    await page.getByText('No row is like that.').waitFor();
  });

  it('is used by keys alone: rows, zoom, details', async () => {
    await open();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await active();
    await page.keyboard.press('End');
    expect(await active()).toBe('Complete');
    await page.keyboard.press('Home');
    expect([second, await active()]).toEqual(['pages/screen-00001.png', 'Look at the files']);
    const labels = (): Promise<string[]> => page.locator('.head text').allTextContents();
    const whole = await labels();
    await page.keyboard.press('+');
    await expect.poll(labels).not.toEqual(whole);
    await page.keyboard.press('0');
    await expect.poll(labels).toEqual(whole);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').getByRole('heading').textContent()).toBe('pages/screen-00000.png');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('grid');
  });

  it('zooms to what is dragged over in the strip', async () => {
    await open();
    const strip = await page.locator('.overview').boundingBox();
    if (!strip) throw new Error('There is no strip');
    const at = (share: number): [number, number] => [strip.x + strip.width * share, strip.y + 20];
    await page.mouse.move(...at(0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.5));
    await page.mouse.up();
    await expect.poll(() => page.locator('.brush').isVisible()).toBe(true);
    const brush = await page.locator('.brush').boundingBox();
    expect((brush?.width ?? 0) / strip.width).toBeCloseTo(0.25, 1);
    await page.mouse.click(...at(0.8));
    await expect.poll(() => page.locator('.brush').isVisible()).toBe(false);
  });

  it('prints its first rows and no controls', async () => {
    await open();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    expect([await rowCount(), await page.locator('.toolbar').isVisible()]).toEqual([1000, false]);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(rowCount).toBeLessThan(80);
  });

  it('shows names and reasons as they are, whatever they hold', async () => {
    const name = '"><img src=x onerror=alert(1)></script>\u202e.png';
    const tracer = uploadTracer();
    for (const event of [hashed(name), failed(name, '<b onclick=alert(1)>bold</b>'), done('a.png')]) tracer.next(event);
    tracer.close('<i>stopped</i>');
    await writeFile(join(folder, 'hostile.html'), waterfallPage(tracer.read()));
    await open(1280, 'light', 'hostile.html');
    await page.locator('.row.failed').click();
    expect(await page.getByRole('dialog').getByRole('heading').textContent()).toBe(name.replace('\u202e', '\\u202e'));
    expect(await page.locator('.failure').allTextContents()).toEqual(['<i>stopped</i>', '<b onclick=alert(1)>bold</b>']);
    expect([await page.locator('img, b, i:not([class])').count(), problems]).toEqual([0, []]);
  });
});
