import { EMPTY, NEVER, timeout, TimeoutError as RxTimeoutError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HttpError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { Busy, failureLines } from '../failureLines.js';

describe('toFailWith', () => {
  it('expects an error, whenever it comes', () =>
    marbles(({ cold, server, http, expect$ }) => {
      server.on('GET /', '5ms a', { a: 404 });
      expect$(http.get('/')).toFailWith(HttpError);
      expect$(cold('a 3s #', undefined, new Busy('busy', 429))).toFailWith({ status: 429 });
      expect$(NEVER.pipe(timeout(10))).toFailWith(RxTimeoutError);
      expect$(EMPTY).not.toFailWith(Error);
    }));

  it('expects any error where none is given', () => {
    marbles(({ cold, expect$ }) => {
      expect$(cold('3s #')).toFailWith();
      expect$(cold('#', undefined, null)).toFailWith();
      expect$(cold('a|')).not.toFailWith();
    });
    expect(failureLines(({ cold, expect$ }) => expect$(cold('3s #')).not.toFailWith()).at(-1)).toBe('unexpected  "error", at 3s');
    expect(failureLines(({ expect$ }) => expect$(EMPTY).toFailWith()).slice(2)).toEqual([
      'expected  any error',
      'received  no error: it completed at 0ms',
    ]);
  });

  it('refuses a class that is undefined', () => {
    expect(() => marbles(({ cold, expect$ }) => expect$(cold('#')).not.toFailWith(undefined))).toThrow(
      'toFailWith got undefined; give a class, some fields, or an error; or nothing for any error',
    );
  });

  it('says what came instead', () => {
    expect(
      failureLines(({ cold, expect$ }) => expect$(cold('3s #', undefined, new Busy('busy', 503))).toFailWith({ status: 429 })),
    ).toEqual([
      'expect$(received).toFailWith(expected)',
      '',
      'expected  { status: 429 }',
      'received  Busy: busy { status: 503 }, at 3s',
      'differs   status is 503 where 429 was expected',
    ]);
    expect(failureLines(({ expect$ }) => expect$(EMPTY).toFailWith(TypeError)).slice(2)).toEqual([
      'expected  class TypeError',
      'received  no error: it completed at 0ms',
    ]);
    expect(failureLines(({ expect$ }) => expect$(NEVER).toFailWith(TypeError)).at(-1)).toBe('received  no error: it did not end');
    expect(failureLines(({ cold, expect$ }) => expect$(cold('3s #')).not.toFailWith('error')).slice(2)).toEqual([
      'unexpected  "error", at 3s',
    ]);
  });
});
