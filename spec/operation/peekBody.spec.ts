import '@angular/compiler';
import { HttpErrorResponse } from '@angular/common/http';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';
import { peekBody } from '../../src/operation/peekBody.js';
import { readFailure } from '../../src/retry/readFailure.js';

const answered = (response: Response) => ({ ...readFailure(new Error('refused')), response });
const peeked = (error: unknown) => firstValueFrom(peekBody(readFailure(error)));

describe('peekBody', () => {
  it('gives the beginning of the body, and leaves all of it readable', async () => {
    const response = new Response('x'.repeat(10_000), { status: 429 });
    expect(await firstValueFrom(peekBody(answered(response)))).toBe('x'.repeat(4096));
    expect(await response.text()).toHaveLength(10_000);
  });

  it('gives what has come of it after 1 s', () =>
    marbles(({ expect$ }) => {
      const response = reply(429, { chunks: 'a 700ms b 700ms c|' });
      expect$(peekBody(answered(response))).toBeMarbles('1s (a|)', { a: 'ab' });
    }));

  it.each<[string, Response]>([
    ['no body', new Response(null, { status: 503 })],
    ['an empty one', new Response('', { status: 503 })],
    ['one that breaks', new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }))],
  ])('gives nothing of %s', async (_, response) => {
    expect(await firstValueFrom(peekBody(answered(response)))).toBe('');
  });

  it('gives nothing of a body that somebody has read', async () => {
    const response = new Response('read');
    await response.text();
    expect(await firstValueFrom(peekBody(answered(response)))).toBe('');
  });

  it('gives what the client that failed has read already: Angular, axios, ajax', async () => {
    expect(await peeked(new HttpErrorResponse({ status: 429, error: { error: 'quota' } }))).toBe('{"error":"quota"}');
    expect(await peeked({ config: {}, response: { status: 429, data: 'quota', headers: {} } })).toBe('quota');
    expect(await peeked({ name: 'AjaxError', status: 429, response: { error: 'quota' } })).toBe('{"error":"quota"}');
  });

  it('gives nothing of an error that has read nothing', async () => {
    expect(await peeked(new Error('lost'))).toBe('');
    expect(await peeked('lost')).toBe('');
  });
});
