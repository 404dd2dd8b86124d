import { firstValueFrom, lastValueFrom, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isBodyError } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';
import { convertBody, parseJson, readBytes } from '../../src/transport/readBody.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (read: Uint8Array): string => new TextDecoder().decode(read);

describe('readBytes', () => {
  it('emits all bytes once and completes', async () => {
    expect(text(await firstValueFrom(readBytes(new Response('grüße'))))).toBe('grüße');
  });

  it('gives no bytes of no body', async () => {
    expect(await firstValueFrom(readBytes(new Response(null)))).toEqual(new Uint8Array());
  });

  it('reads a stand-in without a stream by its text()', async () => {
    expect(text(await firstValueFrom(readBytes({ text: () => of('grüße') })))).toBe('grüße');
    expect(await firstValueFrom(readBytes({}))).toEqual(new Uint8Array());
  });

  it('gives what has come by the time it is told to', () =>
    marbles(({ cold, expect$ }) => {
      const body$ = readBytes(reply(200, { chunks: 'a 9ms b 9ms c|' }), { until$: cold('15ms u') });
      expect$(body$).toBeMarbles('15ms (a|)', { a: bytes('ab') });
    }));

  it('lets go of the body when it is unsubscribed', () => {
    const cancelled = new Subject<unknown>();
    const reasons: unknown[] = [];
    cancelled.subscribe((reason) => reasons.push(reason));
    const body = new ReadableStream<Uint8Array>({ cancel: () => cancelled.next('gone') });
    readBytes({ body }).subscribe().unsubscribe();
    expect(reasons).toEqual(['gone']);
  });
});

describe('convertBody', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['null', null],
    ['', null],
    [' \n', null],
    ['\u{feff}[1]', [1]],
  ])('reads JSON, empty as null: %j', (json, value) => {
    expect(convertBody(bytes(json), 'json')).toEqual(value);
  });

  it('reads text as UTF-8, what is none of it as replacement characters, as fetch does', () => {
    expect(convertBody(bytes('grüße'), 'text')).toBe('grüße');
    expect(convertBody(Uint8Array.of(0xff, 0x61), 'text')).toBe('\u{fffd}a');
  });

  it('makes a Blob of the answer’s type', async () => {
    const blob = convertBody(bytes('x'), 'blob', new Headers({ 'content-type': 'image/png' })) as Blob;
    expect([blob.type, await blob.text()]).toEqual(['image/png', 'x']);
    expect((convertBody(bytes('x'), 'blob') as Blob).type).toBe('');
  });

  it('gives the very bytes', () => {
    const body = bytes('x');
    expect(convertBody(body, 'bytes')).toBe(body);
  });
});

describe('parseJson', () => {
  it('says how long what is not JSON is, never what it says', () => {
    const error = failureOf(() => parseJson('secret=1234567890ab'));
    expect(isBodyError(error)).toBe(true);
    expect(error.message).toBe("The body is not JSON (19 characters); ask for responseType 'text' to see it");
  });
});

describe('readBytes of a long body', () => {
  it('fails where it is longer than allowed', async () => {
    await expect(lastValueFrom(readBytes(new Response('[1]'), { maxBytes: 2 }))).rejects.toThrow('longer than 2 bytes');
  });
});
