import { type MarbleContext, marbles, reply } from 'coldfetch/testing';
import { concat, EMPTY, from, NEVER, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Busy, failureLines } from '../failureLines.js';

describe('toBeMarbles', () => {
  it('aligns what was expected and what was received, and marks the first difference', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        expect$(cold('5ms a 2s (b|)', { a: 1, b: { id: 1 } })).toBeMarbles('5ms a 3s (b|)', { a: 1, b: { id: 1 } });
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  5ms a 3s     (b|)',
      'received  5ms a 2s (b|)',
      'differs            ^ { id: 1 } came at 2s 6ms, 1s too early',
      '',
      'a  1',
      'b  { id: 1 }',
    ]);
  });

  it('writes long gaps with units, short ones as dashes', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        expect$(cold('--a---b----c 10m d 2999ms (e|)')).toBeMarbles('--a---b----c 10m d 3s (e|)');
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  --a---b 4ms c 10m d 3s           (e|)',
      'received  --a---b 4ms c 10m d 2s 999ms (e|)',
      'differs                                ^ "e" came at 10m 3s 12ms, 1ms too early',
    ]);
  });

  it('says which part of a value differs', () => {
    const user = { name: 'ada', roles: [{ id: 1 }, { id: 2 }] };
    expect(
      failureLines(({ expect$ }) => {
        expect$(of(user)).toBeMarbles('(a|)', { a: { name: 'ada', roles: [{ id: 1 }, { id: 3 }] } });
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  (a|)',
      'received  (A|)',
      'differs   ^ roles.1.id is 2 where 3 was expected',
      '',
      'a  { name: "ada", roles: [{ id: 1 }, { id: 3 }] }',
      'A  { name: "ada", roles: [{ id: 1 }, { id: 2 }] }',
    ]);
  });

  it('survives groups with errors, null values, and ten-minute gaps', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        const source = cold('a 10m (bc#)', { a: null, b: undefined, c: 0 }, new Busy('busy', 503));
        expect$(source).toBeMarbles('a 10m (bc#)', { a: null, b: undefined, c: 0 }, new Busy('busy', 429));
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      'expected  a 10m (bc#)',
      'received  a 10m (bc#)',
      'differs         ^ status is 503 where 429 was expected',
      '',
      'a  null',
      'b  undefined',
      'c  0',
      '#  Busy: busy { status: 429 } (expected)',
      '#  Busy: busy { status: 503 } (received)',
    ]);
  });

  it('draws moments that no diagram can show', () => {
    expect(
      failureLines(({ expect$ }) => {
        expect$(concat(of(1, 2), timer(2))).toBeMarbles('(abc|)', { a: 1, b: 2, c: 3 });
      }).slice(2, 5),
    ).toEqual(['expected  (abc|)', 'received  (ab) @2ms (A|)', 'differs   ^ 3 was expected at 0ms, but 0 came at 2ms']);
  });

  it.each<[string, (context: MarbleContext) => void, string]>([
    ['more came', ({ expect$ }) => expect$(of('a')).toBeMarbles(''), '^ "a", but nothing more was expected'],
    ['less came', ({ expect$ }) => expect$(NEVER).toBeMarbles('3s a'), '^ "a" was expected, but nothing more came'],
    ['it did not end', ({ expect$ }) => expect$(NEVER).toBeMarbles('|'), '^ completion was expected, but nothing more came'],
    ['it completed', ({ expect$ }) => expect$(EMPTY).toBeMarbles('a'), '^ "a" was expected, but completion came'],
    ['it failed', ({ cold, expect$ }) => expect$(cold('#')).toBeMarbles('|'), '^ completion was expected, but the error "error" came'],
    ['it came late', ({ cold, expect$ }) => expect$(cold('2m |')).toBeMarbles('1m |'), '^ completion came at 2m, 1m too late'],
  ])('says that %s', (_, body, reason) => {
    expect(failureLines(body).find((line) => line.startsWith('differs'))).toContain(reason);
  });

  it('says that nothing was expected, or received', () => {
    expect(failureLines(({ expect$ }) => expect$(of('a')).toBeMarbles(''))).toContain('expected  (nothing)');
    expect(failureLines(({ expect$ }) => expect$(NEVER).toBeMarbles('a'))).toContain('received  (nothing)');
  });

  it('shows of long diagrams what is around the difference', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        expect$(cold(`${'ab--'.repeat(60)}c|`)).toBeMarbles(`${'ab--'.repeat(60)}d|`);
      }),
    ).toEqual([
      'expect$(received).toBeMarbles(expected)',
      '',
      `expected  …--${'ab--'.repeat(16)}d|`,
      `received  …--${'ab--'.repeat(16)}c|`,
      `differs   ${' '.repeat(67)}^ "c" where "d" was expected`,
    ]);
    const middle = failureLines(({ cold, expect$ }) => {
      expect$(cold('a 3s '.repeat(30))).toBeMarbles(`${'a 3s '.repeat(14)}b 3s ${'a 3s '.repeat(15)}`);
    }).slice(2, 5);
    expect(middle).toEqual([
      `expected  …${'a 3s '.repeat(7).slice(1)}b 3s ${'a 3s '.repeat(6).slice(0, -1)}…`,
      `received  …${'a 3s '.repeat(14).slice(1, 69)}…`,
      `differs   ${' '.repeat(35)}^ "a" where "b" was expected`,
    ]);
    for (const line of middle.slice(0, 2)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('draws thousands of values', () => {
    const values = Array.from({ length: 5000 }, (_, index) => ({ index }));
    expect(failureLines(({ expect$ }) => expect$(from(values)).toBeMarbles('|')).slice(3, 5)).toEqual([
      expect.stringMatching(/^received  \(ABC.*\?…$/),
      'differs   ^ completion was expected, but { index: 0 } came',
    ]);
  });

  it('draws a value by the letter that was expected in its place', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        expect$(cold('ab')).toBeMarbles('xyz', { x: expect.anything(), y: expect.anything(), z: 1 });
      }).slice(2, 4),
    ).toEqual(['expected  xyz', 'received  xy']);
  });

  it('takes asymmetric matchers, inside of values too', () =>
    marbles(({ cold, expect$ }) => {
      const source = cold('a b #', { a: { id: 1, name: 'ada' }, b: ['x', 'y'] }, new Busy('busy: 3', 429));
      expect$(source).toBeMarbles(
        'a b #',
        { a: { id: expect.any(Number), name: expect.stringContaining('a') }, b: expect.arrayContaining(['y']) },
        expect.objectContaining({ status: 429 }),
      );
    }));

  it('names an asymmetric matcher in its legend', () => {
    expect(failureLines(({ expect$ }) => expect$(of({ id: 1 })).toBeMarbles('(a|)', { a: expect.objectContaining({ id: 2 }) }))).toContain(
      'a  ObjectContaining<{ id: 2 }>',
    );
  });

  it('has an opposite', () => {
    marbles(({ expect$ }) => expect$(of('a')).not.toBeMarbles('(b|)'));
    expect(failureLines(({ expect$ }) => expect$(of(1)).not.toBeMarbles('(a|)', { a: 1 }))).toEqual([
      'expect$(received).not.toBeMarbles(expected)',
      '',
      'unexpected  (a|)',
      '',
      'a  1',
    ]);
  });

  it('compares responses by status, header fields and body', () => {
    const response = reply(200, { json: [], headers: { 'x-n': '1' } });
    const compare = (expected: Response) => () => marbles(({ expect$ }) => expect$(of(response)).toBeMarbles('(a|)', { a: expected }));
    compare(reply(200, { json: [], headers: { 'x-n': '1' } }))();
    compare(reply(200, { json: [], headers: { 'x-n': '1' }, url: 'https://api.test/' }))();
    expect(compare(reply(201, { json: [], headers: { 'x-n': '1' } }))).toThrow('status is 200 where 201 was expected');
    expect(compare(reply(200, { json: [], headers: { 'x-n': '2' } }))).toThrow('headers.x-n is "1" where "2" was expected');
    expect(compare(reply(200, { json: {}, headers: { 'x-n': '1' } }))).toThrow('body is "[]" where "{}" was expected');
    marbles(({ expect$ }) =>
      expect$(of(new Response(null, { status: 204 }))).toBeMarbles('(a|)', { a: new Response(null, { status: 204 }) }),
    );
  });
});
