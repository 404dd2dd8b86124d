import { EMPTY, NEVER, timeout, TimeoutError as RxTimeoutError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HttpError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { Busy, failureLines } from './failureLines.js';

describe('toFailWith', () => {
  it('expects an error, whenever it comes', () =>
    marbles(({ cold, server, http, expect$ }) => {
      server.on('GET /', '5ms a', { a: 404 });
      expect$(http.get('/')).toFailWith(HttpError);
      expect$(cold('a 3s #', undefined, new Busy('busy', 429))).toFailWith({ status: 429 });
      expect$(NEVER.pipe(timeout(10))).toFailWith(RxTimeoutError);
      expect$(EMPTY).not.toFailWith(Error);
    }));

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
