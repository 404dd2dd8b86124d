import { of, throwError, TimeoutError as RxTimeoutError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { TimeoutError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { Busy } from '../failureLines.js';

/** The error of RxJS's own `timeout`, which says that it should not be constructed. */
function timedOut(): unknown {
  return Reflect.construct(RxTimeoutError, []);
}

/** An error of another library, which keeps its request. */
function asked(request: string): Error {
  return Object.assign(new Error('no'), { request });
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
    ['request of its own', asked('/a'), asked('/b'), 'request is "/a" where "/b" was expected'],
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

describe('a value in marbles', () => {
  class User {
    constructor(
      readonly name: string,
      readonly age: number,
    ) {}
  }
  const blob = new Blob(['a']);
  const form = (value: string | Blob): FormData => {
    const made = new FormData();
    made.set('a', value);
    return made;
  };
  const emitting = (value: unknown, expected: unknown) => () =>
    marbles(({ expect$ }) => expect$(of(value)).toBeMarbles('(a|)', { a: expected }));

  it.each<[string, unknown, unknown]>([
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['a part of a larger buffer', new Uint8Array([9, 1, 2]).subarray(1), new Uint8Array([1, 2])],
    ['a view', new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(1))],
    ['a buffer', new Uint8Array([1, 2]).buffer, new Uint8Array([1, 2]).buffer],
    ['a URL', new URL('https://api.test/a'), new URL('https://api.test/a')],
    ['parameters', new URLSearchParams({ a: '1' }), new URLSearchParams('a=1')],
    ['a form', form('1'), form('1')],
    ['the same blob', { blob }, { blob }],
    ['a request', new Request('https://api.test/a'), new Request('https://api.test/a')],
    ['a response of the platform', new Response('a'), new Response('a')],
  ])('is equal: %s', (_, value, expected) => {
    expect(emitting(value, expected)).not.toThrow();
  });

  it.each<[string, unknown, unknown, string]>([
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3]), '1 is 2 where 3 was expected'],
    ['a buffer', new Uint8Array([1, 2]).buffer, new Uint8Array([1, 3]).buffer, 'bytes.1 is 2 where 3 was expected'],
    ['other elements', new Uint8Array([1, 0]), new Uint16Array([1]), 'Uint8Array(2) [1, 0] where Uint16Array(1) [1] was expected'],
    ['a view', new DataView(new Uint8Array([1]).buffer), new DataView(new Uint8Array([2]).buffer), 'DataView(1) [1] where DataView(1) [2]'],
    ['more bytes', new Uint8Array([1, 2]), new Uint8Array([1]), '1 is 2 where undefined was expected'],
    ['a URL', new URL('https://api.test/a'), new URL('https://api.test/b'), 'href is "https://api.test/a" where "https://api.test/b"'],
    ['parameters', new URLSearchParams({ a: '1' }), new URLSearchParams({ a: '2' }), 'text is "a=1" where "a=2" was expected'],
    ['a form', form('1'), form('2'), 'entries.0.1 is "1" where "2" was expected'],
    [
      'a file of a form',
      form(new File(['1'], 'a')),
      form(new File(['2'], 'b')),
      'entries.0.1 is File("a", 1 bytes) where File("b", 1 bytes)',
    ],
    ['a blob', blob, new Blob(['ab']), 'Blob(1 bytes) where Blob(2 bytes) was expected'],
    [
      'a blob of the same size',
      blob,
      new Blob(['b']),
      'Blob(1 bytes), but not the one that was expected: what is in it cannot be compared',
    ],
    ['a request', new Request('https://api.test/a'), new Request('https://api.test/b'), 'url is "https://api.test/a" where'],
    ['a body', new Response(new Uint8Array(1)), new Response(null), 'body is a body that takes real time to read where null was expected'],
    ['a zero', -0, 0, '-0 where 0 was expected'],
    ['a function', () => 1, () => 2, 'function, but not the one that was expected'],
    ['a field of a class', new User('a'.repeat(200), 1), new User('a'.repeat(200), 2), 'age is 1 where 2 was expected'],
    ['an entry of a map', new Map([['a'.repeat(200), 1]]), new Map([['a'.repeat(200), 2]]), `${'a'.repeat(200)} is 1 where 2 was expected`],
    [
      'the end of a text',
      `${'a'.repeat(300)}b`,
      `${'a'.repeat(300)}c`,
      `"${'a'.repeat(20)}b" where "${'a'.repeat(20)}c" was expected, 280 characters from its beginning`,
    ],
  ])('is not equal to another: %s', (_, value, expected, reason) => {
    expect(emitting(value, expected)).toThrow(reason);
  });
});
