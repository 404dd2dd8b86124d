import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { uploadTracer } from '../../../../src/cli/report/waterfall/uploadTracer.js';
import { waterfallPage } from '../../../../src/cli/report/waterfall/waterfallPage.js';
import { done, failed, hashed, HOSTILE, summary } from '../support.js';
import { bundlePage, PAGE_SCRIPT_FILE } from './bundlePage.js';
import { playUpload } from './playUpload.js';

const BREAKOUT = '</script><script>alert(1)</script><!--"><img src=x onerror=alert(1)>';

describe('waterfallPage', () => {
  it('is the same page for the same upload', () => {
    expect(waterfallPage(playUpload(40))).toBe(waterfallPage(playUpload(40)));
  });

  it('loads nothing and runs its own script only', () => {
    const page = waterfallPage(playUpload(3));
    const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy.replaceAll('&#39;', "'")).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    expect(page).not.toMatch(/ (src|srcset|style|on\w+)=/);
    expect(page.match(/<script/g)).toHaveLength(2);
  });

  it('lets no name, reason, build or URL out of its text', () => {
    const tracer = uploadTracer();
    for (const event of [hashed(BREAKOUT), failed(BREAKOUT, BREAKOUT), done(HOSTILE)]) tracer.next(event);
    tracer.next(summary({ build: { id: BREAKOUT, url: `javascript:${BREAKOUT}` } }));
    tracer.next({
      type: 'created',
      build: { id: BREAKOUT, url: 'javascript:alert(1)' },
      reason: 'new',
      missing: 0,
      missingBytes: 0,
      part: 1,
      parts: 1,
    });
    tracer.close(BREAKOUT);
    const page = waterfallPage(tracer.read());
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--|href="javascript/);
    expect(page).not.toContain('\x1b');
  });
});

describe('the script of the page', () => {
  it('is what its sources give today', async () => {
    // A difference of two lines of 30 KB would help nobody.
    expect((await readFile(PAGE_SCRIPT_FILE, 'utf8')) === (await bundlePage()), 'run: npm run pages').toBe(true);
  });
});
