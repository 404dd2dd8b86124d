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
