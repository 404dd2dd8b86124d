import fc from 'fast-check';
import { DisplayString, parseDictionary as theirDictionary, parseList as theirList, Token } from 'structured-headers';
import { describe, expect, it } from 'vitest';
import { parseDictionary, parseList } from '../../../src/headers/rateLimit/structuredFields.js';

type TheirItem = readonly [bare: unknown, parameters: ReadonlyMap<string, unknown>];

/** A value of `structured-headers` as it is known here. */
function known(bare: unknown): unknown {
  if (bare instanceof Token) return bare.toString();
  if (bare instanceof ArrayBuffer) return { base64: Buffer.from(bare).toString('base64') };
  return Array.isArray(bare) || bare instanceof Date || bare instanceof DisplayString ? undefined : bare;
}

function knownItem([bare, parameters]: TheirItem): unknown {
  return [known(bare), new Map([...parameters].map(([key, value]) => [key, known(value)]))];
}

function orMalformed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return 'malformed';
  }
}

const digits = fc.stringMatching(/^-?\d{0,17}(\.\d{0,4})?$/);
const text = fc.stringMatching(/^"([ -~]{0,6}|\\["\\])*"$/);
const token = fc.stringMatching(/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,6}$/);
const bytes = fc.stringMatching(/^:([A-Za-z0-9+/]{4}){0,2}([A-Za-z0-9+/]{2}==)?:$/);
const bare = fc.oneof(digits, text, token, bytes, fc.constantFrom('?0', '?1', '?2', '%"f%c3%bc"', '%"%FF"', '%"%ff"', '()', '""'));
const key = fc.stringMatching(/^[a-zA*][a-zB0-9_.*-]{0,3}$/);
const parameter = fc.tuple(key, fc.option(bare)).map(([name, value]) => (value === null ? `;${name}` : `; ${name}=${value}`));
const item = fc.tuple(bare, fc.array(parameter, { maxLength: 3 })).map(([value, parameters]) => value + parameters.join(''));
const member = fc.oneof(
  { weight: 4, arbitrary: item },
  { weight: 1, arbitrary: fc.array(item, { maxLength: 3 }).map((items) => `(${items.join(' ')})`) },
);
const separator = fc.constantFrom(',', ', ', ' \t,', ' ', ',,');
const list = fc
  .array(fc.tuple(member, separator), { maxLength: 4 })
  .chain((members) => fc.constantFrom(members.map((pair) => pair.join('')).join(''), members.map(([one]) => one).join(', ')));

describe('parseList', () => {
  it('reads each kind of value, and tells a Token from nothing else than its text', () => {
    const none = new Map();
    expect(parseList('12, -1.5, "a \\"b\\"", t/1, :YQ==:, ?1, (1 "x";y), %"f%c3%bc", @1792567770')).toEqual([
      [12, none],
      [-1.5, none],
      ['a "b"', none],
      ['t/1', none],
      [{ base64: 'YQ==' }, none],
      [true, none],
      [undefined, none],
      [undefined, none],
      [undefined, none],
    ]);
  });

  it('reads parameters, of which the last of a name counts', () => {
    expect(parseList('"a";q=5; w=60;flag;q=6')).toEqual([
      [
        'a',
        new Map<string, unknown>([
          ['q', 6],
          ['w', 60],
          ['flag', true],
        ]),
      ],
    ]);
  });

  it.each(['a,', 'a b', '"a', '"\\x"', '1.', '1.2345', '1234567890123456', '(a', '(a)b', ':a:', '?2', 'a;Q=1', 'a;q=', '@1.5', 'é'])(
    'refuses %s',
    (value) => {
      expect(() => parseList(value)).toThrow();
    },
  );

  it('gives what the package structured-headers gives, for whatever text', () => {
    fc.assert(
      fc.property(list, (value) => {
        expect(orMalformed(() => parseList(value))).toEqual(orMalformed(() => theirList(value).map((one) => knownItem(one as TheirItem))));
      }),
      { numRuns: 3000, seed: 9651 },
    );
  });

  it('reads the longest lists to their end', () => {
    expect(parseList(`${'a, '.repeat(20_000)}a`)).toHaveLength(20_001);
  });
});

describe('parseDictionary', () => {
  it('reads members, of which the last of a name counts; one without a value is true', () => {
    expect([...parseDictionary('limit=100, remaining=50, open;x=1, limit=9')].map(([name, [value]]) => [name, value])).toEqual([
      ['limit', 9],
      ['remaining', 50],
      ['open', true],
    ]);
  });

  it('gives what the package structured-headers gives, for whatever text', () => {
    const dictionary = fc
      .array(fc.tuple(key, fc.option(member)), { maxLength: 4 })
      .map((members) => members.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join(', '));
    fc.assert(
      fc.property(dictionary, (value) => {
        const theirs = (): unknown => new Map([...theirDictionary(value)].map(([name, one]) => [name, knownItem(one as TheirItem)]));
        expect(orMalformed(() => parseDictionary(value))).toEqual(orMalformed(theirs));
      }),
      { numRuns: 3000, seed: 9651 },
    );
  });
});
