import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policies, UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { joinTimelines, renderSvg, type Timeline } from 'coldfetch/timeline';
import { timer } from 'rxjs';
import { launchChromium } from '../support/chromium.js';
import { needsChromium } from '../support/needs.js';
import { play } from './play.js';

const busy = reply(429, { headers: { 'retry-after': '30' } });
const ok = reply(200);

const abort$ = timer(1500);
const rich = joinTimelines([
  play('80ms a 50ms b 20ms c', { a: busy, b: reply(503), c: ok }, { label: 'GET /users', deadline: 60_000 }),
  { ...play(['hang', 'network', reply(404)], {}, { label: 'PUT /a.png' }), began: 700 },
  { ...play([busy], {}, { label: 'stopped', ask: (http) => http.get('https://api.test/', { observe: 'events', abort$ }) }), began: 2000 },
  play('5ms a 5ms b', { a: busy, b: ok }, { label: 'at the gate', pace: {} }),
]);
const instants = play([busy, busy, ...Array<number>(3).fill(503), ok], {}, { label: 'no time at all' });
const crowd = joinTimelines(
  Array.from({ length: 30 }, (_, i) => ({
    ...play(`${i * 7 + 5}ms a 20ms b`, { a: busy, b: ok }, { label: `PUT /screenshots/${i}.png` }),
    began: i * 400,
  })),
);
const SAMPLES: Readonly<Record<string, Timeline>> = {
  rich,
  instants,
  crowd,
  exhausted: play(Array<number>(4).fill(503), {}, { label: 'a'.repeat(200) }),
  deadline: play(['hang'], {}, { retry: { ...policies.upload, deadline: 5000 }, label: '<script>alert("&")</script>' }),
  empty: { began: 0, end: 0, requests: [] },
};

describe('renderSvg', () => {
  it('draws the same picture of the same timeline', () => {
    expect(renderSvg(rich)).toBe(renderSvg(structuredClone(rich)));
  });

  it('escapes labels and titles, in texts and in tooltips', () => {
    const svg = renderSvg(play([ok], {}, { label: '<b>&"\'\u0000' }), { title: '</svg><script>' });
    expect(svg).not.toContain('<b>');
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&#60;b&#62;&#38;&#34;&#39;');
    expect(svg).not.toContain('\u0000');
  });

  it('loads nothing and runs nothing', () => {
    expect(renderSvg(rich)).not.toMatch(/<script|@import|@font-face|href|url\((?!#)/);
  });

  it('has the marble text for those who do not see it', () => {
    const svg = renderSvg(play([busy, ok], {}, { label: '' }));
    expect(svg).toContain('role="img"');
    expect(svg).toContain('<desc>--x(429) ~30s~ --o(200)</desc>');
  });

  it.each([
    ['429', 'throttled'],
    ['503', 'broken'],
    ['404', 'refused'],
    ['timeout', 'silent'],
    ['network', 'lost'],
    ['200', 'answered'],
  ])('gives %s a colour and a glyph of its own', (_, kind) => {
    const statuses = play([busy, 503, 'hang', 'network', ok]);
    const svg = renderSvg(kind === 'refused' ? play([reply(404)]) : statuses);
    const outline = new RegExp(`<path class="glyph ${kind}" d="([^"]+)"/><path class="sign" d="([^"]+)"`).exec(svg);
    expect(outline?.slice(1)).toHaveLength(2);
  });

  it('follows the reader, or shows the theme that it is told', () => {
    expect(renderSvg(rich)).toContain('prefers-color-scheme:dark');
    expect(renderSvg(rich, { theme: 'light' })).not.toContain('prefers-color-scheme');
    expect(renderSvg(rich, { theme: 'dark' })).toContain('--ground:#0d1117');
  });

  it('leaves out a deadline that would squeeze all else to the left', () => {
    const drawn = (deadline: number): boolean => renderSvg(play([busy, ok], {}, { deadline })).includes('<line class="deadline"');
    expect(drawn(60_000)).toBe(true);
    expect(drawn(1_800_000)).toBe(false);
  });

  it('keeps a short attempt visible beside a long wait', () => {
    const svg = renderSvg(
      play('5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3600' } }), b: ok }, { retry: policies.api, deadline: 1 }),
    );
    const widths = [...svg.matchAll(/class="flight \w+" x="[\d.]+" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(Math.min(...widths)).toBeGreaterThan(30);
  });

  it('refuses a width in which nothing can be read', () => {
    expect(() => renderSvg(rich, { width: 100 })).toThrow(UsageError);
    expect(() => renderSvg(rich, { width: NaN })).toThrow(UsageError);
  });

  it('draws a thousand requests', () => {
    const requests = Array.from({ length: 1000 }, (_, i) => ({ ...crowd.requests[i % 30], start: i })) as Timeline['requests'];
    expect(renderSvg({ began: 0, end: 60_000, requests })).toContain('</svg>');
  });
});

needsChromium('the picture in a browser', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  }, 30_000);

  afterAll(() => browser.close());

  async function open(svg: string, colorScheme: 'light' | 'dark', width: number): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 600 });
    await page.setContent(`<body style="margin:0">${svg}</body>`);
  }

  describe.each(['light', 'dark'] as const)('in the %s theme', (scheme) => {
    it.each(Object.keys(SAMPLES).flatMap((name) => [400, 1000].map((width) => ({ name, width }))))(
      '$name at $width px has no text over another or over the edge',
      async ({ name, width }) => {
        await open(renderSvg(SAMPLES[name] ?? rich, { title: 'A title', width }), scheme, width);
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
      await open(renderSvg(rich, { title: 'A title' }), scheme, 560);
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
