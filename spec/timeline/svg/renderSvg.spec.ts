import { describe, expect, it } from 'vitest';
import { policies, UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { renderSvg, type Timeline } from 'coldfetch/timeline';
import { play } from '../play.js';
import { busy, cached, crowd, cutInBody, insisting, ok, rich, running } from '../samples.js';

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

  it('draws an answer for which nothing was sent: a glyph without a bar', () => {
    const svg = renderSvg(cached);
    expect(svg.match(/<path class="glyph answered"/g)).toHaveLength(3);
    expect(svg).not.toContain('<rect class="flight');
    expect(svg).toContain('<title>200 without a request, at 5 ms</title>');
  });

  it('draws no tick for a body that was cut off, or is on its way', () => {
    expect(renderSvg(cutInBody)).not.toContain('glyph answered');
    expect(renderSvg(cutInBody)).toContain('>200, cut short</text>');
    expect(renderSvg(running)).not.toContain('glyph answered');
    expect(renderSvg(running)).toContain('>200, in flight</text>');
  });

  it('shares neither style nor hatching with another picture of the same page', () => {
    const pictures = [renderSvg(rich, { theme: 'light' }), renderSvg(rich, { theme: 'dark' }), renderSvg(rich), renderSvg(cached)];
    const names = pictures.map((svg) => /class="coldfetch-timeline (coldfetch-timeline-\w{8})"/.exec(svg)?.[1] ?? '');
    expect(new Set(names).size).toBe(4);
    for (const [i, svg] of pictures.entries()) {
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(svg) ?? [];
      const selectors = style.match(/(?<=^|[{}\n,])\.[\w-]+/g) ?? [];
      expect(new Set(selectors)).toEqual(new Set([`.${names[i] ?? ''}`]));
      expect(new Set(svg.match(/ id="[\w-]+-(?=asked|own|gate)/g))).toEqual(new Set([` id="${names[i] ?? ''}-`]));
    }
  });

  it('stays small, whatever happened', () => {
    expect(renderSvg(insisting(10_000)).length).toBeLessThan(150_000);
    expect(renderSvg(insisting(10_000))).toMatch(/<desc>.{4000}\u2026<\/desc>/);
  });

  it('has its ticks at the top as well when it is high', () => {
    const count = (t: Timeline): number => [...renderSvg(t).matchAll(/>0 s<\/text>/g)].length;
    expect(count(rich)).toBe(1);
    expect(count(crowd)).toBe(2);
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

  it('refuses a theme that it has not', () => {
    expect(() => renderSvg(rich, { theme: 'sepia' as 'dark' })).toThrow(UsageError);
  });

  it('draws a thousand requests', () => {
    const requests = Array.from({ length: 1000 }, (_, i) => ({ ...crowd.requests[i % 30], start: i })) as Timeline['requests'];
    expect(renderSvg({ began: 0, end: 60_000, requests })).toContain('</svg>');
  });
});
