import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import FormStream from 'form-data';
import { of } from 'rxjs';
import { FormData as UndiciFormData } from 'undici';
import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import { StreamlessBlob, UntaggedBlob } from '../support/domBlobs.js';
import { failureOf } from '../support/failureOf.js';
import { type ClientBody, jsonBody } from '../../src/request/jsonBody.js';

async function* pieces(): AsyncGenerator<string> {
  yield await Promise.resolve('a');
}

/** A class with one field of its own, and these methods. */
function foreign(name: string, ...methods: string[]): new () => object {
  const made = class {
    readonly size = 0;
  };
  for (const method of methods) Object.defineProperty(made.prototype, method, { value: () => undefined });
  return Object.defineProperty(made, 'name', { value: name });
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
    ['a Blob of happy-dom', () => new UntaggedBlob('abc')],
    ['a Blob of jsdom', () => new StreamlessBlob(['abc'])],
  ])('knows by its shape what is sent as it is: %s', (_, make) => {
    const body = make() as ClientBody;
    expect(jsonBody(body)).toEqual({ body });
  });

  it.each<[string, object, string]>([
    ['a Map', { a: new Map([[1, 2]]) }, 'a Map at a, whose content JSON leaves out; send Object.fromEntries(it), or [...it]'],
    ['a Set in a list', [new Set([1])], 'a Set at 0, whose content JSON leaves out; send [...it]'],
    ['a File', { user: { face: new File(['a'], 'a.txt') } }, 'a File at user.face, whose content JSON leaves out; send it as a part of'],
    ['an Error', { error: new RangeError('lost') }, 'a RangeError at error, whose content JSON leaves out; send its message'],
    ['an Error with fields', [Object.assign(new Error('lost'), { code: 'ENOENT' })], 'an Error at 0, whose content JSON leaves out'],
    ['a stream', { data: Readable.from(['a']) }, 'a Readable at data, whose content JSON leaves out; send a ReadableStream or'],
    ['a buffer', { data: new ArrayBuffer(4) }, 'an ArrayBuffer at data, whose content JSON leaves out'],
    ['URL parameters', { q: new URLSearchParams('a=1') }, 'a URLSearchParams at q, whose content JSON leaves out; send Object.fromEntries'],
    ['a Blob of happy-dom', { face: new UntaggedBlob('abc') }, 'a UntaggedBlob at face, whose content JSON leaves out; send it as a part'],
    ['a promise', { id: Promise.resolve(1) }, 'a Promise at id, whose content JSON leaves out; send what it resolves with'],
  ])('refuses such an object inside of a body: %s', (_, body, message) => {
    const error = failureOf(() => jsonBody(body));
    expect([isUsageError(error), error.message]).toEqual([true, expect.stringContaining(`The body holds ${message}`)]);
  });

  it.each<[string, object, string]>([
    ['an Error', Object.assign(new Error('lost'), { code: 'ENOENT' }), 'The body is an Error, '],
    ['a Map', Object.assign(new Map([['a', 1]]), { name: 'counts' }), 'The body is a Map, '],
    ['a Response of another implementation', new (foreign('Response', 'text', 'json', 'clone'))(), 'The body is a Response, '],
    ['a form of another implementation', new (foreign('FormData', 'append', 'getAll', 'delete'))(), 'The body is a FormData, '],
    ['URL parameters of another implementation', new (foreign('Query', 'append', 'getAll', 'delete', 'sort'))(), 'The body is a Query, '],
    ['headers of another implementation', new (foreign('Headers', 'append', 'get', 'getSetCookie'))(), 'The body is a Headers, '],
    ['a stream of another implementation', new (foreign('WebStream', 'getReader', 'tee'))(), 'The body is a WebStream, '],
    ['an old stream of Node', new (foreign('Stream', 'pipe', 'on'))(), 'The body is a Stream, '],
    ['a promise of another library', new (foreign('Bluebird', 'then'))(), 'The body is a Bluebird, '],
  ])('refuses what has fields beside a content that JSON leaves out: %s', (_, body, beginning) => {
    const error = failureOf(() => jsonBody(body));
    expect([isUsageError(error), error.message]).toEqual([true, expect.stringContaining(beginning)]);
  });

  it.each<[string, object]>([
    ['an object of a class', new (foreign('User', 'save'))()],
    ['an error that says its own', Object.assign(new Error('lost'), { toJSON: () => ({ size: 0 }) })],
  ])('sends what JSON shows: %s', (_, body) => {
    expect(jsonBody(body).body).toBe('{"size":0}');
  });

  it('sends empty objects inside of a body', () => {
    expect(jsonBody({ a: {}, b: [{}] })).toEqual({ body: '{"a":{},"b":[{}]}', type: 'application/json' });
  });

  it.each<[string, unknown, string]>([
    ['a Map', new Map([['a', 1]]), 'Object.fromEntries(it), or [...it]'],
    ['a Set', new Set([1]), '[...it]'],
    ['a Response', new Response('a'), 'its body: it.body, or await it.blob()'],
    ['a Request', new Request('https://api.test/', { method: 'POST', body: 'a' }), 'its body'],
    ['a Headers', new Headers({ a: 'b' }), 'Object.fromEntries(it)'],
    ['a Promise', Promise.resolve({ a: 1 }), 'what it resolves with'],
    ['a RangeError', new RangeError('a'), 'its message'],
    ['a RegExp', /a/, 'its source'],
    ['a WeakMap', new WeakMap(), 'a plain object'],
    ['an Observable', of(1), 'what it emits'],
    ['a generator', [1].values(), '[...it]'],
    ['a DOMException', new DOMException('a'), 'its message'],
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
      expect.stringMatching(/^The body is an? [A-Z]\w+, whose content JSON leaves out; send /),
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

  it.each<[string, unknown, string]>([
    ['a bigint', { a: 1n }, 'The body cannot be sent as JSON: it holds a bigint at a'],
    ['a symbol', Symbol('a'), 'it is a symbol'],
    ['a toJSON that gives nothing', { toJSON: () => undefined }, 'its toJSON gives no JSON'],
  ])('refuses %s before anything is sent', (_, body, problem) => {
    const error = failureOf(() => jsonBody(body as ClientBody));
    expect(isUsageError(error)).toBe(true);
    expect(error.message).toContain(problem);
  });
});
