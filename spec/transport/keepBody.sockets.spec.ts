import { firstValueFrom, lastValueFrom, map, mergeMap, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isHttpError } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { keepBody } from '../../src/transport/keepBody.js';
import { readBytes } from '../../src/transport/readBody.js';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';
import { transports } from '../support/transports.js';

const text = (read: Uint8Array): string => new TextDecoder().decode(read);
const bytes = (of: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(of);

/** Keeps a body, and waits until that is done. */
async function kept(response: Response): Promise<Response> {
  await lastValueFrom(keepBody(response));
  return response;
}

/** A body that gives these chunks and then nothing more, and the reasons for which it was cancelled. */
function endless(...chunks: readonly string[]) {
  const reasons: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => chunks.forEach((chunk) => controller.enqueue(bytes(chunk))),
    cancel: (reason) => void reasons.push(reason),
  });
  return { body, reasons };
}

describe('keepBody', () => {
  it('emits once when the body is kept, and completes', async () => {
    expect(await firstValueFrom(keepBody(new Response('busy')).pipe(toArray()))).toEqual([undefined]);
  });

  it('does nothing before it is subscribed', () => {
    const response = new Response('busy');
    void keepBody(response);
    expect(response.body?.locked).toBe(false);
  });

  describe('leaves the same Response, which reads as before:', () => {
    const json = '{"error":"grüße"}';
    const answer = () => kept(new Response(json, { status: 429, statusText: 'Too Many', headers: { 'content-type': 'application/json' } }));

    it('text', async () => expect(await (await answer()).text()).toBe(json));
    it('JSON', async () => expect(await (await answer()).json()).toEqual({ error: 'grüße' }));
    it('bytes', async () => expect(new Uint8Array(await (await answer()).arrayBuffer())).toEqual(bytes(json)));
    it('a Blob of its type', async () => {
      const blob = await (await answer()).blob();
      expect([blob.type, await blob.text()]).toEqual(['application/json', json]);
    });
    it('a stream', async () => {
      const { body } = await answer();
      expect(await new Response(body).text()).toBe(json);
    });
    it('a clone, and itself', async () => {
      const response = await answer();
      const clone = response.clone();
      expect([await clone.text(), await response.text(), clone.status]).toEqual([json, json, 429]);
    });
    it('by readBytes', async () => expect(text(await firstValueFrom(readBytes(await answer())))).toBe(json));

    it('status, text and header fields', async () => {
      const { status, statusText, headers, ok } = await answer();
      expect([status, statusText, headers.get('content-type'), ok]).toEqual([429, 'Too Many', 'application/json', false]);
    });

    it('once: then it is used', async () => {
      const response = await answer();
      expect(response.bodyUsed).toBe(false);
      await response.text();
      expect(response.bodyUsed).toBe(true);
      await expect(response.text()).rejects.toThrow(TypeError);
    });

    it('once by readBytes, after another has read it', async () => {
      const response = await answer();
      await response.text();
      await expect(firstValueFrom(readBytes(response))).rejects.toThrow(TypeError);
    });
  });

  it('is the same object, an instance of Response', async () => {
    const response = new Response('busy');
    expect(await kept(response)).toBe(response);
    expect(response).toBeInstanceOf(Response);
  });

  it('keeps 64 KiB, and cancels the rest', async () => {
    const { body, reasons } = endless('a'.repeat(65_000), 'b'.repeat(1000), 'c');
    const response = await kept(new Response(body));
    expect(reasons).toHaveLength(1);
    expect(await response.text()).toBe('a'.repeat(65_000) + 'b'.repeat(536));
  });

  it('keeps a body of just 64 KiB whole', async () => {
    const response = await kept(new Response('a'.repeat(65_536)));
    expect(await response.text()).toHaveLength(65_536);
  });

  it('keeps what has come in 250 ms of a body that does not end', () =>
    marbles(({ expect$ }) => {
      const response = reply(429, { chunks: 'a 100ms b 148ms c d-------------' });
      const kept$ = keepBody(response).pipe(
        mergeMap(() => readBytes(response)),
        map(text),
      );
      expect$(kept$).toBeMarbles('250ms (a|)', { a: 'abc' });
    }));

  it('keeps in virtual time what ends earlier, when it ends', () =>
    marbles(({ expect$ }) => {
      const response = reply(429, { chunks: 'a 9ms b 9ms |' });
      expect$(keepBody(response)).toBeMarbles('20ms (a|)', { a: undefined });
    }));

  it('reads at once what it has kept, in virtual time too, and once', () =>
    marbles(({ expect$, cold }) => {
      const response = reply(429, { chunks: '(ab|)' });
      keepBody(response).subscribe();
      const read$ = cold('7ms (a|)').pipe(
        mergeMap(() => readBytes(response)),
        map(text),
      );
      expect$(read$).toBeMarbles('7ms (a|)', { a: 'ab' });
    }));

  it('does not read more of a kept body than is asked for', async () => {
    const response = await kept(new Response('abcdef'));
    expect(text(await firstValueFrom(readBytes(response, { maxBytes: 3, truncate: true })))).toBe('abc');
  });

  it('cancels the body when it is unsubscribed', () =>
    marbles(({ expect$ }) => {
      const { body, reasons } = endless('a');
      expect$(keepBody(new Response(body)), '^ 9ms !').toBeMarbles('-');
      return () => expect(reasons).toHaveLength(1);
    }));

  it('keeps nothing of a body that breaks: its answer is still one', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(bytes('a'));
        controller.error(new TypeError('terminated'));
      },
    });
    const response = await kept(new Response(body, { status: 429 }));
    expect([response.status, await response.text()]).toEqual([429, '']);
  });

  it('has nothing to do where there is no body, or none is left', async () => {
    const read = new Response('read');
    await read.text();
    for (const response of [undefined, new Response(null, { status: 429 }), read]) {
      expect(await firstValueFrom(keepBody(response).pipe(toArray()))).toEqual([undefined]);
    }
    expect(read.bodyUsed).toBe(true);
  });

  it('does not fail on a body that somebody else is reading, who goes on', async () => {
    const response = new Response('busy');
    const reader = response.body?.getReader();
    await kept(response);
    const { value }: { value?: Uint8Array | undefined } = (await reader?.read()) ?? {};
    expect(value && text(value)).toBe('busy');
  });

  it('may be done again', async () => {
    const response = await kept(await kept(new Response('busy', { status: 429 })));
    expect(await response.text()).toBe('busy');
  });
});

describe.each(transports)('keepBody of an answer by %s', (_, { coldFetch }) => {
  it('frees the connection of a body without end, and what came of it stays readable', async () => {
    const server = await loopback((_request, response) => {
      response.writeHead(429);
      response.write('busy');
    });
    const error = await errorOf(coldFetch(server.url));
    if (!isHttpError(error)) throw error;
    const { response } = error;
    expect(server.sockets.size).toBe(1);
    await kept(response);
    // The socket is gone 3 s after the body is cancelled, as after an abort of the request (measured on Node 20).
    await expect.poll(() => server.sockets.size).toBe(0);
    expect([response.status, response.url, await response.text()]).toEqual([429, `${server.url}/`, 'busy']);
  });
});
