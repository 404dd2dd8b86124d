import { firstValueFrom, lastValueFrom, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';
import { readBytes } from '../../src/transport/readBody.js';

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

describe('readBytes of a long body', () => {
  it('fails where it is longer than allowed', async () => {
    await expect(lastValueFrom(readBytes(new Response('[1]'), { maxBytes: 2 }))).rejects.toThrow('longer than 2 bytes');
  });
});
