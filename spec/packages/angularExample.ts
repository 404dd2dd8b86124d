import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { needsChromium } from '../support/needs.js';
import type { Finished } from '../support/packedProject.js';
import type { RegistryProject } from '../support/registryProject.js';
import { type ANGULARS, angularProject } from '../examples/angular/angularProject.js';
import { angularAtWork, WORKS } from './angularAtWork.js';
import { compile, compilerProject, testCompiled } from './compilerProject.js';
import { chooseFiles } from '../examples/angular/chooseFiles.js';
import { type ArchiveServer, startArchiveServer } from '../examples/angular/archiveServer.js';

type Version = (typeof ANGULARS)[number];

/**
 * Specs of the example with one version of Angular, built and tested by its command line. A program of its own is left to other versions: this
 * checkout, its specs and the check of its types have Angular 21.
 */
export function describeExample(version: Version): void {
  describe(`the example with Angular ${version}`, () => {
    let project: RegistryProject;
    let built: Finished;

    beforeAll(async () => {
      project = await angularProject(version, inject('tarball'));
      built = await project.run('npm', ['run', '--silent', 'build']);
    });

    afterAll(() => project.remove());

    it('is built without a warning', () => {
      expect(built.output).toContain('Application bundle generation complete');
      expect(built.output).not.toMatch(/WARNING|ERROR/);
      expect(built.ok).toBe(true);
    });

    it('runs marble specs by ng test', async () => {
      const { ok, output } = await project.run('npm', ['test']);
      expect(output).toMatch(PASSED);
      expect(ok, output).toBe(true);
    });

    inChromium(() => project);
  });
}

/**
 * Specs of the example with one version of Angular and without its command line, which costs most of the time and is tried by `npm run matrix`: it is
 * compiled by Angular's compiler, bundled by esbuild and tested by the vitest of this checkout.
 */
export function describeCompiledExample(version: Version): void {
  describe(`the example with Angular ${version}, compiled`, () => {
    let project: RegistryProject;
    let compiled: Finished;

    beforeAll(async () => {
      project = await compilerProject(version, inject('tarball'));
      compiled = await compile(project);
    });

    afterAll(() => project.remove());

    it('is compiled without a warning', () => {
      expect(compiled).toEqual({ ok: true, output: '' });
    });

    it('runs marble specs by vitest', async () => {
      const { ok, output } = await testCompiled(project);
      expect(output).toMatch(PASSED);
      expect(ok, output).toBe(true);
    });

    it('has packages with which a program of its own compiles and works, too', async () => {
      expect(await angularAtWork(project)).toEqual(WORKS);
    });

    inChromium(() => project);
  });
}

/** Summary of vitest where all specs of the example have passed. */
const PASSED = /Tests +5 passed/;

/** Specs of a project whose folder `dist` holds the application. */
function inChromium(projectOf: () => RegistryProject): void {
  needsChromium('in Chromium', () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
    });

    afterAll(() => browser.close());

    /** The application in a page of its own, whose clock can be moved, with a server of its own. */
    async function open(path = '/', prepare: (server: ArchiveServer) => void = () => {}): Promise<Opened> {
      const server = await startArchiveServer(join(projectOf().path, 'dist'));
      const context = await browser.newContext();
      onTestFinished(async () => {
        await context.close();
        await server.close();
      });
      prepare(server);
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(server.url + path);
      const count = (line: string): number => server.requests.filter((request) => request.line.startsWith(line)).length;
      return { server, context, page, count };
    }

    it('shows photographs page by page, and what toSignal and httpResource give', async () => {
      const { page } = await open();
      await page.getByText('Page 1 of 3').waitFor();
      await page.getByText('Ada Lindqvist').waitFor();
      await page.getByText('12,480').waitFor();
      const first = await page.locator('app-photo-list h2').allTextContents();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2 of 3').waitFor();
      await page.locator('ul[aria-busy=false]').waitFor();
      const second = await page.locator('app-photo-list h2').allTextContents();
      expect([first.length, second.length]).toEqual([6, 6]);
      expect(second).not.toEqual(first);
    });

    it('counts the wait of a rate limit down, and goes on by itself', async () => {
      const { page, count } = await open('/', ({ script }) => script('GET photos?page=2', tooMany(12)));
      await page.getByRole('button', { name: 'Next' }).click();
      const notice = page.locator('app-photo-list app-wait-notice');
      await notice.getByText('Rate-limited', { exact: true }).waitFor();
      const seconds = async (): Promise<number> => Number(await notice.locator('svg text').textContent());
      // The policy adds a spread of a tenth.
      expect(await seconds()).toBeOneOf([12, 13, 14]);
      await page.clock.fastForward(6000);
      await expect.poll(seconds).toBeLessThan(9);
      expect(count('GET photos?page=2')).toBe(1);
      await page.clock.fastForward(8000);
      await page.locator('app-picture').first().waitFor();
      expect(await notice.count()).toBe(0);
      expect(count('GET photos?page=2')).toBe(2);
    });

    it('shows the wait of Angular’s own client at its place, and how many wait in all', async () => {
      const { page } = await open('/', ({ script }) => {
        script('GET report', tooMany(12));
        script('GET photos', tooMany(12));
      });
      await page.locator('app-report-card app-wait-notice').waitFor();
      await page.getByText('2 requests wait for the server.').waitFor();
      await page.clock.fastForward(15_000);
      await page.getByText('12,480').waitFor();
    });

    it('says what failed, and tries again when told', async () => {
      const { page, count } = await open('/', ({ script }) => script('GET photos', { status: 403 }));
      await page.getByText('The server answered with an error (403)').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('app-picture').first().waitFor();
      expect(count('GET photos')).toBe(2);
    });

    it('ends a wait that is cancelled, and sends nothing more', async () => {
      const { page, count } = await open('/', ({ script }) => script('GET photos', tooMany(12)));
      await page.getByRole('button', { name: 'Cancel waiting' }).click();
      await page.getByText('Page 1 was not loaded.').waitFor();
      await page.clock.fastForward(20_000);
      expect(count('GET photos')).toBe(1);
      await page.getByRole('button', { name: 'Load it' }).click();
      await page.locator('app-picture').first().waitFor();
    });

    it('waits while the browser is offline, and goes on when it is back', async () => {
      const { page, context, count } = await open();
      await page.locator('app-picture').first().waitFor();
      await context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.locator('app-wait-notice').getByText('goes on when you are back', { exact: true }).waitFor();
      expect(count('GET photos?page=2')).toBe(0);
      await context.setOffline(false);
      await page.locator('app-picture').first().waitFor();
      expect(count('GET photos?page=2')).toBe(1);
    });

    it('drops what is in flight, and what waits, when the page is left', async () => {
      const { page, server, count } = await open('/', ({ script }) => {
        script('GET photos', 'hold');
        script('GET report', tooMany(12));
      });
      await expect.poll(() => count('GET photos')).toBe(1);
      await page.locator('app-report-card app-wait-notice').waitFor();
      await page.getByRole('link', { name: 'Upload' }).click();
      await expect.poll(() => server.requests.find(({ line }) => line.startsWith('GET photos'))).toMatchObject({ aborted: true });
      await page.clock.fastForward(20_000);
      expect([count('GET photos'), count('GET report')]).toEqual([1, 1]);
    });

    it('moves the bytes of an upload', async () => {
      const { page, server } = await open('/upload', ({ script }) => script('POST photos', 'hold'));
      await upload(page, { 'mole.jpg': 12_000_000 });
      // The sockets take some of it, the server reads nothing.
      await page.getByText(/^\s*[1-9][\d.]* MB of 12\.0 MB\s*$/).waitFor();
      expect(await page.getByRole('progressbar').evaluate((bar: { readonly value: number }) => bar.value)).toBeLessThan(1);
      server.release();
      await page.getByText('Done, 12.0 MB').waitFor();
    });

    it('waits with an upload as the server asks', async () => {
      const { page, count } = await open('/upload', ({ script }) => script('POST photos', tooMany(30)));
      await upload(page, { 'mole.jpg': 1000 });
      await page.locator('app-wait-notice').getByText('Rate-limited', { exact: true }).waitFor();
      await page.clock.fastForward(34_000);
      await page.getByText('Done, 1.0 kB').waitFor();
      expect(count('POST photos')).toBe(2);
    });

    it('cancels one upload, and then all', async () => {
      const { page, server, count } = await open('/upload', ({ script }) => script('POST photos', 'hold', 'hold', 'hold'));
      const aborted = (name: string): boolean | undefined => server.requests.find(({ line }) => line.includes(name))?.aborted;
      await upload(page, { 'mole.jpg': 1000, 'crane.jpg': 1000, 'fog.jpg': 1000, 'snow.jpg': 1000 });
      await expect.poll(() => count('POST photos')).toBe(2);
      await page.getByRole('button', { name: 'Cancel mole.jpg' }).click();
      await expect.poll(() => count('POST photos')).toBe(3);
      await expect.poll(() => [aborted('mole'), aborted('crane'), aborted('fog')]).toEqual([true, false, false]);
      await page.getByRole('button', { name: 'Cancel all' }).click();
      await expect.poll(() => [aborted('crane'), aborted('fog')]).toEqual([true, true]);
      await page.getByText('Nothing left to send').waitFor();
      expect(count('POST photos')).toBe(3);
    });
  });
}

interface Opened {
  readonly server: ArchiveServer;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Number of requests so far whose line begins so. */
  readonly count: (line: string) => number;
}

function tooMany(seconds: number): { readonly status: number; readonly headers: Readonly<Record<string, string>> } {
  return { status: 429, headers: { 'retry-after': String(seconds) } };
}

/** Uploads files of given names and sizes, by the form. */
async function upload(page: Page, sizes: Readonly<Record<string, number>>): Promise<void> {
  await chooseFiles(page, sizes);
  await page.getByRole('button', { name: /^Upload \d/ }).click();
}
