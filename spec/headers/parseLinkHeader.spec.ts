import { describe, expect, it } from 'vitest';
import { parseLinkHeader } from '../../src/headers/parseLinkHeader.js';

const base = 'https://api.example/items/?page=2';

/** Targets by relation, as pagination looks at a field. */
function targets(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(parseLinkHeader(value, base).flatMap(({ target, rels }) => rels.map((rel) => [rel, target])));
}

describe('parseLinkHeader', () => {
  it('reads several links', () => {
    expect(targets('<https://api.example/a>; rel="next", <https://api.example/b>; rel="last"')).toEqual({
      next: 'https://api.example/a',
      last: 'https://api.example/b',
    });
  });

  it('reads several relations of one link, in any case', () => {
    expect(parseLinkHeader('</a>; rel="Next  LAST"', base)).toMatchObject([{ target: 'https://api.example/a', rels: ['next', 'last'] }]);
  });

  it.each([
    ['<?page=3>', 'https://api.example/items/?page=3'],
    ['<../x>', 'https://api.example/x'],
    ['<//other.example/x>', 'https://other.example/x'],
    ['<>', 'https://api.example/items/?page=2'],
  ])('resolves %s against the base', (reference, target) => {
    expect(parseLinkHeader(`${reference}; rel=next`, base)[0]?.target).toBe(target);
  });

  it('leaves a target as it is without a base', () => {
    expect(parseLinkHeader('</a>; rel=next')[0]?.target).toBe('/a');
  });

  it('lets commas and semicolons be inside brackets and quotes', () => {
    const [link, next] = parseLinkHeader('</a,b;c>; title="x, <y>; rel=\\"no\\""; rel=prev, </n>; rel=next', base);
    expect(link).toMatchObject({ target: 'https://api.example/a,b;c', rels: ['prev'] });
    expect(link?.parameters.get('title')).toBe('x, <y>; rel="no"');
    expect(next?.rels).toEqual(['next']);
  });

  it('takes names in any case, white space around everything, and values with or without quotes', () => {
    expect(targets(' ,, </a>\t; REL = next ;;; title = "t" , </b>;rel=last;')).toEqual({
      next: 'https://api.example/a',
      last: 'https://api.example/b',
    });
  });

  it('lets the first rel win', () => {
    expect(targets('</a>; rel=next; rel=last')).toEqual({ next: 'https://api.example/a' });
  });

  it('shows the anchor of a link that is about something else', () => {
    expect(parseLinkHeader('</a>; anchor="#foo"; rel=next', base)[0]?.parameters.get('anchor')).toBe('#foo');
  });

  it.each([
    'nonsense, </n>; rel=next',
    '</a, </n>; rel=next',
    '</a> rel=prev, </n>; rel=next',
    '"quoted, </a>; rel=prev", </n>; rel=next',
    '<http://[bad>; rel=prev, </n>; rel=next',
    '</a>; title=x, </n>; rel=next',
    '</a>; rel="", </n>; rel=next',
    '</a>; rel, </n>; rel=next',
    '</a>; rel="  ", </n>; rel=next',
  ])('skips what is malformed and keeps the rest: %j', (value) => {
    expect(targets(value)).toEqual({ next: 'https://api.example/n' });
  });

  it('takes all that follows an open quote for quoted', () => {
    expect(targets('</a>; rel="prev, </n>; rel=next')).toEqual({});
    expect(targets('</n>; rel=next, </a>; rel="prev')).toEqual({ next: 'https://api.example/n' });
  });

  it.each([null, undefined, '', 'nonsense', ' ', ',', ';', '<', '>', '"', '\\', '<>;', '</a>'])('reads no link from %j', (value) => {
    expect(parseLinkHeader(value, base)).toEqual([]);
  });

  it('reads hostile fields of 1 MB, whose time grows with their length', () => {
    const parts = [
      '<',
      '<a',
      '<,',
      '<a,"',
      '"',
      '\\',
      ',',
      ';',
      ' ',
      '<>;',
      '</a>;a="',
      '="',
      '</a>; a',
      'x"\\',
      '"a,',
      '<a>,',
      '</a>;rel="',
    ];
    for (const part of parts) expect(parseLinkHeader(part.repeat(1_000_000 / part.length), base).length).toBeLessThan(2);
  });

  it('reads the last link of a long field', () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `</rows/${i}>; rel=item`);
    expect(parseLinkHeader([...many, '</rows?page=2>; rel=next'].join(', '), base).at(-1)?.target).toBe('https://api.example/rows?page=2');
  });
});
