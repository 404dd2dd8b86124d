import { describe, expect, it } from 'vitest';
import { htmlPage, jsonProblem } from '../../src/request/jsonProblem.js';
import { failureOf } from '../support/failureOf.js';

const failing = (): never => {
  throw new Error('no such user');
};

describe('jsonProblem', () => {
  it.each<[string, () => unknown, string]>([
    ['a toJSON', () => ({ toJSON: failing }), 'a toJSON failed: no such user'],
    ['a toJSON further in', () => [{ user: { toJSON: failing } }], 'a toJSON at 0.user failed: no such user'],
    ['a getter', () => Object.defineProperty({}, 'name', { get: failing, enumerable: true }), 'a getter at name failed: no such user'],
    [
      'a getter of what a toJSON gave',
      () => ({ a: { toJSON: () => Object.defineProperty({}, 'b', { get: failing, enumerable: true }) } }),
      'a getter at a.b failed: no such user',
    ],
    ['a bigint', () => ({ rows: [{ id: 1n }] }), 'it holds a bigint at rows.0.id; send a number or a string'],
    ['a Proxy that refuses', () => new Proxy({}, { ownKeys: failing }), 'no such user'],
  ])('says what failed, and where: %s', (_, make, problem) => {
    const body = make();
    expect(
      jsonProblem(
        body,
        failureOf(() => JSON.stringify(body)),
      ),
    ).toBe(problem);
  });

  it('says where a cycle closes', () => {
    const body: Record<string, unknown> = { a: {} };
    body.a = { b: [body] };
    expect(jsonProblem(body, new TypeError('Converting circular structure to JSON'))).toBe(
      'it holds a cycle at a.b.0; send what JSON.stringify takes',
    );
  });

  it('says that a body is nested too deeply', () => {
    const body = Array.from({ length: 20_000 }).reduce<object>((inner) => [inner], {});
    expect(
      jsonProblem(
        body,
        failureOf(() => JSON.stringify(body)),
      ),
    ).toContain('it is nested too deeply');
  });
});

describe('htmlPage', () => {
  it.each([
    ['<!doctype html><title>Sign in</title>', 'an HTML page ("Sign in")'],
    ['\n<!-- saved -->\n<HTML lang="en"><head><TITLE>\n Log\n on </TITLE>', 'an HTML page ("Log on")'],
    ['<html><body>no title</body></html>', 'an HTML page'],
    ['<html><title>\x1b[2J</title>', 'an HTML page ("\\x1b[2J")'],
  ])('names %j', (text, name) => {
    expect(htmlPage(text)).toBe(name);
  });

  it.each(['', '{"html":"<html>"}', '<?xml version="1.0"?><rows/>', '<htmlish>', 'text with <html> in it'])('takes %j for none', (text) => {
    expect(htmlPage(text)).toBeUndefined();
  });

  it('looks at the beginning of a long text only', () => {
    expect(htmlPage(`<html>${'<!-- '.repeat(200_000)}`)).toBe('an HTML page');
  });
});
