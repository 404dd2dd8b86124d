import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinTimelines, renderSvg } from 'coldfetch/timeline';
import { launchChromium } from '../../support/chromium.js';
import { needsChromium } from '../../support/needs.js';
import { cutInBody, instants, rich, running, samples } from '../samples.js';

needsChromium('the picture in a browser', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  });

  afterAll(() => browser.close());

  async function open(svg: string, colorScheme: 'light' | 'dark', width: number): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 600 });
    await page.setContent(`<body style="margin:0">${svg}</body>`);
  }

  describe.each(['light', 'dark'] as const)('in the %s theme', (scheme) => {
    it.each(Object.keys(samples).flatMap((name) => [400, 1000].map((width) => ({ name, width }))))(
      '$name at $width px has no text over another or over the edge',
      async ({ name, width }) => {
        await open(renderSvg(samples[name] ?? rich, { title: 'A title', width }), scheme, width);
        // Runs in the page, where types of the DOM are unknown here.
        const faults = await page.evaluate(`(() => {
          const texts = [...document.querySelectorAll('text')].map((text) => ({ words: text.lastChild.data, box: text.getBoundingClientRect() }));
          const edge = document.querySelector('rect.ground').getBoundingClientRect();
          const over = texts.filter(({ box }) => box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom);
          const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
          const pairs = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => meet(a.box, b.box)).map((b) => a.words + ' / ' + b.words));
          return [...over.map(({ words }) => words), ...pairs];
        })()`);
        expect(faults).toEqual([]);
      },
    );

    it('has texts that stand out from their ground', async () => {
      const whole = joinTimelines([rich, instants, cutInBody, running]);
      await open(renderSvg(whole, { title: 'A title' }), scheme, 560);
      const contrasts = await page.evaluate<number[]>(`(() => {
        const light = (colour) => {
          const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = light(getComputedStyle(document.querySelector('rect.ground')).fill);
        return [...document.querySelectorAll('text, path.glyph')].map((text) => {
          const own = light(getComputedStyle(text).fill);
          return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
        });
      })()`);
      // WCAG 2.2, 1.4.3 asks 4.5 of texts, 1.4.11 asks 3 of shapes: all have the higher one.
      expect(Math.min(...contrasts)).toBeGreaterThan(4.5);
    });

    it('shrinks with the page, and stays readable at 400 px', async () => {
      await open(renderSvg(rich), scheme, 400);
      const [width, smallest] = await page.evaluate<[number, number]>(`[
        document.querySelector('svg').getBoundingClientRect().width,
        Math.min(...[...document.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize))),
      ]`);
      expect(width).toBe(400);
      expect((smallest * width) / 560).toBeGreaterThan(8);
    });
  });
});
