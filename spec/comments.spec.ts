import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesIn } from './support/sources.js';

/** Start of a comment, also of a docstring that begins on its second line, up to the first word. */
const START = /(?:\/\*\*(?:\s*\n\s*\*)? |^\s*\/\/ (?<!\/\/[^\n]*\n\s*\/\/ ))/m.source;

/** First words that hide the noun which the comment is about: question words, pronouns, and prepositions of half sentences. */
const NOUNLESS =
  'What|Whatever|Who|Whoever|Whom|Whose|Whether|Which|How|Where|When|Why|It|Its|They|Their|That|Those|These|This|He|She|There|Of|In|By|As|With|Without|Not|Only|No';

/** Pronouns that stand for a reader or a program of which nothing else is said. */
const VAGUE = 'by whom|to whom|of whom|whoever|somebody says|somebody else|nobody knows|who comes first|what is told|is told by';

function commentsOf(file: string, pattern: RegExp): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
  return [...text.matchAll(pattern)].map(([comment]) => `${file}: ${comment.trim()}`);
}

describe('comments', () => {
  const files = [...filesIn('src'), ...filesIn('spec')];

  it('begin with the noun that they are about', () => {
    const start = new RegExp(`${START}(?:${NOUNLESS})\\b.*$`, 'gm');
    expect(files.flatMap((file) => commentsOf(file, start))).toEqual([]);
  });

  it('name whom they speak of', () => {
    const vague = new RegExp(`^\\s*(?:\\*|/\\*\\*|//) .*\\b(?:${VAGUE})\\b.*$`, 'gm');
    expect(files.flatMap((file) => commentsOf(file, vague))).toEqual([]);
  });
});
