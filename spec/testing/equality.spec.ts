import { throwError, TimeoutError as RxTimeoutError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { TimeoutError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { Busy } from './failureLines.js';

/** The error of RxJS's own `timeout`, which says that it should not be constructed. */
function timedOut(): unknown {
  return Reflect.construct(RxTimeoutError, []);
}

describe('an error in marbles', () => {
  const failing = (error: unknown, expected: unknown) => () =>
    marbles(({ expect$ }) => expect$(throwError(() => error)).toBeMarbles('#', undefined, expected));

  it.each<[string, unknown, unknown]>([
    ['its class', new Busy('busy', 429), Busy],
    ['a base class', new TypeError('no'), Error],
    ['some of its fields', new Busy('busy', 429), { status: 429 }],
    ['the class of its cause', new Busy('busy', 429, { cause: new TypeError('lost') }), { status: 429, cause: TypeError }],
    [
      'the fields of its cause',
      new Busy('busy', 429, { cause: Object.assign(new Error('lost'), { code: 'E' }) }),
      { cause: { code: 'E' } },
    ],
    ['an equal error', new Busy('busy', 429), new Busy('busy', 429)],
    ['an equal error of RxJS, whose stack is its own', timedOut(), timedOut()],
    ['a value that is no error', 'no', 'no'],
    ['null', null, null],
  ])('is expected by %s', (_, error, expected) => {
    expect(failing(error, expected)).not.toThrow();
  });

  it.each<[string, unknown, unknown, string]>([
    ['class', new Busy('busy', 429), new TypeError('busy'), 'class is class Busy where class TypeError was expected'],
    ['message', new Error('a'), new Error('b'), 'message is "a" where "b" was expected'],
    ['fields', new Busy('busy', 429), new Busy('busy', 503), 'status is 429 where 503 was expected'],
    ['cause', new Error('a', { cause: 1 }), new Error('a', { cause: 2 }), 'cause is 1 where 2 was expected'],
    ['cause that it should not have', new Error('a', { cause: 1 }), new Error('a'), 'cause is 1 where undefined was expected'],
    ['expected class', new Error('a'), TypeError, 'Error: a where class TypeError was expected'],
    ['expected field', new Busy('busy', 429), { status: 503 }, 'status is 429 where 503 was expected'],
    ['expected field that is missing', new Error('a'), { status: undefined, code: 'E' }, 'code is undefined where "E" was expected'],
    [
      'cause deep inside',
      new Error('a', { cause: new Error('b', { cause: 1 }) }),
      { cause: { cause: 2 } },
      'cause.cause is 1 where 2 was expected',
    ],
    ['kind', 'error', new Error('error'), '"error" where Error: error was expected'],
    ['name of another library', timedOut(), TimeoutError, 'TimeoutError: Timeout has occurred'],
  ])('is not equal to one of another %s', (_, error, expected, reason) => {
    expect(failing(error, expected)).toThrow(reason);
  });

  it('does not crash on errors that are their own cause', () => {
    const circular = (): Error => {
      const error = new Error('a');
      error.cause = error;
      return error;
    };
    expect(failing(circular(), circular())).not.toThrow();
  });
});
