import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLinkHeader } from '../../src/headers/parseLinkHeader.js';
import { parseRetryAfter } from '../../src/headers/parseRetryAfter.js';
import { readRateLimit } from '../../src/headers/rateLimit/readRateLimit.js';
import retryAfterVectors from '../vectors/retry-after.json' with { type: 'json' };

const now = retryAfterVectors.now;
const seeds = {
  retryAfter: [
    ...retryAfterVectors.cases.map(({ value }) => value),
    'Wed, 21 Oct 2026 07:28:30 GMT, Wednesday, 21-Oct-26 07:28:40 GMT, Wed Oct 21 07:28:50 2026, 5',
  ],
  rateLimit: [
    '"500-in-5min"; r=499; t=300',
    '"burst"; r=2; t=60, "daily"; r=0; t=86400',
    'limit=100, remaining=50, reset=5',
    '"a";q=500;w=300;pk=:MTJjYTE3YjQ5YWYy:;qu=?1;x=@1792567770;y=%"f%c3%bc"',
    '100, 100;w=10',
    '1792567770',
    '1792567770000',
    '50.5',
    '-1',
  ],
  link: ['<https://a.example/?p=2>; rel="next last"; title*=UTF-8\'\'x, </b>; rel=prev', '</a,b;c>; title="x, \\"y\\""; rel=prev'],
};
const ALPHABET = ' \t,;:="<>()\\-+.?@%*0123456789aeGMTWdOctrqwpk\u00e9\u0000\u2028';

/** A small generator of numbers that is the same in every run: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Half of the strings are noise; the others are real values with a few characters changed, dropped, doubled or joined. */
function strings(corpus: readonly string[], seed: number): () => string {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const character = (): string => ALPHABET.charAt(below(ALPHABET.length));
  return () => {
    if (random() < 0.5) return Array.from({ length: below(24) }, character).join('');
    let text = corpus[below(corpus.length)] ?? '';
    for (let changes = below(4); changes > 0; changes--) {
      const at = below(text.length + 1);
      const kind = below(4);
      if (kind === 0) text = text.slice(0, at) + character() + text.slice(at);
      else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1);
      else if (kind === 2) text = text.slice(0, at) + character() + text.slice(at + 1);
      else text = `${text.slice(at)},${text.slice(0, at)}`;
    }
    return text;
  };
}

const isDelay = (value: number | undefined): boolean => value === undefined || (value >= 0 && value < Infinity);

describe('a million random and mutated strings', () => {
  // The structured-field parser throws at what is malformed; the stacks, which nobody reads, would take most of the time.
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 0;
  });
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('give parseRetryAfter a delay or nothing', () => {
    const next = strings(seeds.retryAfter, 1);
    const wrong: string[] = [];
    let read = 0;
    for (let run = 0; run < 1_000_000; run++) {
      const value = next();
      const delay = parseRetryAfter(value, now);
      if (!isDelay(delay)) wrong.push(value);
      if (delay !== undefined) read++;
    }
    expect(wrong).toEqual([]);
    // Noise alone would prove little.
    expect(read).toBeGreaterThan(100_000);
  });

  it('give readRateLimit sound windows or none', () => {
    const next = strings(seeds.rateLimit, 2);
    const wrong: string[] = [];
    let read = 0;
    for (let run = 0; run < 250_000; run++) {
      // Four strings a run, in the fields of one grammar or another.
      const fields = [next(), next(), next(), next()];
      const prefix = ['', 'x-'][run % 2] ?? '';
      const names =
        run % 3 === 0 ? ['ratelimit', 'ratelimit-policy'] : ['limit', 'remaining', 'reset'].map((name) => `${prefix}ratelimit-${name}`);
      const windows = readRateLimit({ get: (name) => fields[name === 'date' ? 3 : names.indexOf(name)] ?? null }, now);
      const sound = windows.every(({ quota, window, remaining, reset }) => [quota, window, remaining, reset].every(isDelay));
      if (!sound || windows.length > 16) wrong.push(fields.join(' | '));
      read += windows.length;
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(50_000);
  });

  it('give parseLinkHeader links with a relation or none (a tenth of them)', () => {
    const next = strings(seeds.link, 3);
    const wrong: string[] = [];
    let read = 0;
    for (let run = 0; run < 100_000; run++) {
      const value = next();
      const links = parseLinkHeader(value, 'https://api.example/');
      if (!links.every(({ target, rels }) => URL.canParse(target) && rels.length > 0)) wrong.push(value);
      read += links.length;
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(20_000);
  });
});
