import { describe, expect, it } from 'vitest';
import { htmlPage } from '../../src/request/htmlPage.js';

describe('htmlPage', () => {
  it.each([
    ['<!doctype html><title>Sign in</title>', 'an HTML page ("Sign in")'],
    ['\n<!-- saved -->\n<HTML lang="en"><head><TITLE>\n Log\n on </TITLE>', 'an HTML page ("Log on")'],
    ['<html><body>no title</body></html>', 'an HTML page'],
    ['<html><title>\x1b[2J</title>', 'an HTML page ("\\x1b[2J")'],
  ])('names %j', (text, name) => {
    expect(htmlPage(text)).toBe(name);
  });

  it.each(['', '{"html":"<html>"}', '<?xml version="1.0"?><rows/>', '<htmlish>', 'text with <html> in it'])('takes %j for none', (text) => {
    expect(htmlPage(text)).toBeUndefined();
  });

  it('looks at the beginning of a long text only', () => {
    expect(htmlPage(`<html>${'<!-- '.repeat(200_000)}`)).toBe('an HTML page');
  });
});
