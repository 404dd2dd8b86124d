import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import FormStream from 'form-data';
import { of } from 'rxjs';
import { FormData as UndiciFormData } from 'undici';
import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import { failureOf } from '../support/failureOf.js';
import { type ClientBody, jsonBody } from '../../src/request/jsonBody.js';

async function* pieces(): AsyncGenerator<string> {
  yield await Promise.resolve('a');
}

describe('jsonBody', () => {
  it.each<[ClientBody, string]>([
    [{ a: 1, none: undefined }, '{"a":1}'],
    [[1, 'b'], '[1,"b"]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [0, '0'],
    [false, 'false'],
  ])('sends what is no body of fetch as JSON: %j', (body, json) => {
    expect(jsonBody(body)).toEqual({ body: json, type: 'application/json' });
  });

  it.each([null, undefined])('sends nothing for %s', (body) => {
    expect(jsonBody(body)).toEqual({ body: undefined });
  });

  it.each<[string, ClientBody]>([
    ['text', 'a'],
    ['bytes', new Uint8Array(1)],
    ['a buffer', new ArrayBuffer(1)],
    ['a Blob', new Blob([])],
    ['a form', new FormData()],
    ['URL parameters', new URLSearchParams()],
    ['a stream', new ReadableStream<Uint8Array>()],
    ['a described stream', { stream: new ReadableStream<Uint8Array>(), length: 0 }],
    ['an async iterable', pieces()],
    ['a body function', () => 'a'],
  ])('leaves what fetch takes as it is: %s', (_, body) => {
    expect(jsonBody(body)).toEqual({ body });
  });

  it.each<[string, () => unknown]>([
    ['a form of undici', () => new UndiciFormData()],
    ['a form of the package form-data', () => new FormStream()],
    ['a file', () => new File([], 'a.png')],
    ['a buffer of another realm', () => runInNewContext('new ArrayBuffer(1)') as unknown],
    ['bytes of another realm', () => runInNewContext('new Uint8Array(1)') as unknown],
    ['a stream of Node', () => Readable.from([])],
  ])('knows by its shape what is sent as it is: %s', (_, make) => {
    const body = make() as ClientBody;
    expect(jsonBody(body)).toEqual({ body });
  });

  it.each<[string, object, string]>([
    ['a Map', { a: new Map([[1, 2]]) }, 'The body holds a Map at "a", which JSON makes {} of; send Object.fromEntries(map), or [...map]'],
    ['a Set in a list', [new Set([1])], 'The body holds a Set at "0", which JSON makes {} of; send [...set]'],
    [
      'a File',
      { file: new File(['a'], 'a.txt') },
      'The body holds a File at "file", which JSON makes {} of; send it as a part of a FormData',
    ],
  ])('refuses such an object inside of a body: %s', (_, body, message) => {
    const error = failureOf(() => jsonBody(body));
    expect([isUsageError(error), error.message]).toEqual([true, message]);
  });

  it('sends empty objects inside of a body', () => {
    expect(jsonBody({ a: {}, b: [{}] })).toEqual({ body: '{"a":{},"b":[{}]}', type: 'application/json' });
  });

  it.each<[string, unknown, string]>([
    ['a Map', new Map([['a', 1]]), 'Object.fromEntries(map), or [...map]'],
    ['a Set', new Set([1]), '[...set]'],
    ['a Response', new Response('a'), 'its body: response.body, or await response.blob()'],
    ['a Request', new Request('https://api.test/', { method: 'POST', body: 'a' }), 'its body'],
    ['a Headers', new Headers({ a: 'b' }), 'Object.fromEntries(headers)'],
    ['a Promise', Promise.resolve({ a: 1 }), 'what it resolves with'],
    ['a RangeError', new RangeError('a'), 'its message'],
    ['a RegExp', /a/, 'its source'],
    ['a WeakMap', new WeakMap(), 'a plain object'],
    ['an Observable', of(1), 'a plain object'],
    [
      'an object of a class',
      new (class Hidden {
        readonly #value = 1;
        get value() {
          return this.#value;
        }
      })(),
      'a plain object',
    ],
  ])('refuses what JSON makes {} of, and says what to send: %s', (_, body, remedy) => {
    const error = failureOf(() => jsonBody(body as ClientBody));
    expect([isUsageError(error), error.message]).toEqual([
      true,
      expect.stringMatching(/^The body is a [A-Z]\w+, which JSON makes {} of; send /),
    ]);
    expect(error.message).toContain(remedy);
  });

  it.each<[string, object]>([
    ['an empty object', {}],
    ['an empty object without a prototype', Object.create(null) as object],
    ['an object of another realm', runInNewContext('({})') as object],
    [
      'fields that are undefined',
      new (class User {
        readonly name: string | undefined = undefined;
      })(),
    ],
    ['what says so itself', { toJSON: () => ({}) }],
  ])('sends what is empty indeed: %s', (_, body) => {
    expect(jsonBody(body).body).toBe('{}');
  });

  it('tells of a toJSON that failed as of that', () => {
    const failing = {
      toJSON: () => {
        throw new Error('no such user');
      },
    };
    const error = failureOf(() => jsonBody(failing));
    expect([isUsageError(error), error.message]).toEqual([true, 'The body cannot be sent as JSON: a toJSON of it failed: no such user']);
  });

  it.each<[string, unknown, string]>([
    ['a cycle', Object.assign([] as unknown[], { 0: null }), ''],
    ['a bigint', { a: 1n }, 'it holds a cycle or a bigint'],
    ['a symbol', Symbol('a'), 'it is a symbol'],
  ])('refuses %s before anything is sent', (name, body, problem) => {
    if (name === 'a cycle') (body as unknown[])[0] = body;
    const error = failureOf(() => jsonBody(body as ClientBody));
    expect(isUsageError(error)).toBe(true);
    expect(error.message).toContain(problem);
  });
});
