import { describe, expect, it } from 'vitest';
import { launchChromium } from '../../support/chromium.js';
import { needsChromium } from '../../support/needs.js';
import { fitText, textWidth } from '../../../src/timeline/svg/textWidth.js';

describe('fitText', () => {
  it('leaves alone what fits', () => {
    expect(fitText('GET /users', 200, 14)).toBe('GET /users');
  });

  it('cuts the end, or the beginning, and says so', () => {
    expect(fitText('GET /a/very/long/path', 80, 14)).toMatch(/^GET \/.*…$/);
    expect(fitText('GET /a/very/long/path', 80, 14, 'strong', 'end')).toMatch(/^….*path$/);
  });

  it.each([80, 81, 85, 90, 95, 100])('cuts between characters: %d px', (width) => {
    expect(fitText('\u{1f600}'.repeat(30), width, 14)).not.toMatch(/\p{Surrogate}/u);
    expect(textWidth(fitText('\u65e5\u672c\u8a9e'.repeat(30), width, 14), 14)).toBeLessThanOrEqual(width);
  });

  it('is empty where not even an ellipsis fits', () => {
    expect(fitText('GET /users', 10, 14)).toBe('');
  });
});

needsChromium('the width of a text', () => {
  it('is never less than what a browser gives it, and not much more', async () => {
    const texts = [
      'GET /users/1',
      'POST /storage/900e5a6f9b24bf05329d643c4d1e60dfa7a33fb6d31dac95a9e1f27ab6eb5c98',
      'gave up after 2 h 54 min: not-replayable',
      'too many requests',
      'WWWWMMMMmmmm@%',
      'iiiillll....',
      'K\u00e4se \u0416\u0428 \u03a9',
      '429{retry-after:30} 503 hang 200',
    ];
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      for (const weight of ['regular', 'strong'] as const) {
        await page.setContent(
          `<svg>${texts.map((text) => `<text font-size="14" style="font-family:'DejaVu Sans';font-weight:${weight === 'strong' ? 600 : 400}">${text}</text>`).join('')}</svg>`,
        );
        const measured = await page.evaluate<number[]>(
          '[...document.querySelectorAll("text")].map((text) => text.getComputedTextLength())',
        );
        for (const [i, text] of texts.entries()) {
          expect(textWidth(text, 14, weight), text).toBeGreaterThanOrEqual((measured[i] ?? 0) - 0.5);
          expect(textWidth(text, 14, weight), text).toBeLessThan((measured[i] ?? 0) * 1.4);
        }
      }
    } finally {
      await browser.close();
    }
  });
});
