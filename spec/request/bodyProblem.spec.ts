import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { bodyProblem } from '../../src/request/bodyProblem.js';

const JSON_TEXT = 'which fetch makes text of; send JSON.stringify(...) with a content-type of application/json';

class User {
  constructor(readonly name: string) {}
}

describe('bodyProblem', () => {
  it.each<[unknown, string]>([
    [{ a: 1 }, `an object, ${JSON_TEXT}`],
    [[1, 2], `an Array, ${JSON_TEXT}`],
    [Object.create(null), `an object, ${JSON_TEXT}`],
    [new User('Ada'), `a User, ${JSON_TEXT}`],
    [
      new (class {
        a = 1;
      })(),
      `an object, ${JSON_TEXT}`,
    ],
    [new Map(), 'a Map, which fetch makes text of; send Object.fromEntries(it)'],
    [new Set(), 'a Set, which fetch makes text of; send [...it]'],
    [new Error('lost'), 'an Error, which fetch makes text of; send its message'],
    [new Response('a'), 'a Response, which fetch makes text of; send its body'],
    [Promise.resolve('a'), 'a Promise, which fetch makes text of; send what it resolves with'],
    [of('a'), 'an Observable, which fetch makes text of; send what it emits'],
    [() => 'a', 'a function; send text'],
    [Symbol('a'), 'a symbol; send text'],
  ])('says what to send in place of what fetch would make text of: %s', (body, problem) => {
    expect(bodyProblem(body)).toContain(problem);
  });

  it.each<[string, unknown]>([
    ['text', 'a'],
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['a boolean', false],
    ['a URL', new URL('https://api.test/')],
    ['an object of text', new String('a')],
    ['bytes', new Uint8Array(1)],
    ['a form', new FormData()],
    ['a described stream', { stream: new ReadableStream<Uint8Array>() }],
  ])('takes what fetch takes: %s', (_, body) => {
    expect(bodyProblem(body)).toBeUndefined();
  });
});
