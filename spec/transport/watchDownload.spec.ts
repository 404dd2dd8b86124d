import { from, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, isBodyError, TimeoutError } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { watchDownload } from '../../src/transport/watchDownload.js';

const URL = 'https://api.test/export';

/** An answer whose body comes in two pieces, and how often its watcher was touched. */
function watched(type = 'text/plain'): { response: Response; touches: () => number } {
  let touches = 0;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of ['{"a":', '1}']) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const response = new Response(stream, { headers: { 'content-type': type } });
  return { response: watchDownload(response, () => touches++), touches: () => touches };
}

describe('watchDownload', () => {
  it('keeps a download alive that makes progress, however long it takes', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(200, { chunks: 'a 8ms b 8ms c 8ms d|' })]);
      const answer$ = coldFetch(URL, { fetch, timeout: 10, selector: (response) => response.text() });
      expect$(answer$).toBeMarbles('28ms (a|)', { a: 'abcd' });
    }));

  it('lets a download time out that has stalled', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(200, { chunks: 'a 8ms b 20ms c|' })]);
      const answer$ = coldFetch(URL, { fetch, timeout: 10, selector: (response) => response.text() });
      expect$(answer$).toBeMarbles('19ms #', undefined, TimeoutError);
    }));

  // From here on real streams, which need microtasks.
  it('hands on the very same Response', () => {
    const response = new Response('a');
    expect(watchDownload(response, () => undefined)).toBe(response);
  });

  it.each([
    ['json', { a: 1 }],
    ['text', '{"a":1}'],
    ['arrayBuffer', new TextEncoder().encode('{"a":1}').buffer],
  ] as const)('sees the bytes that %s() reads', async (method, expected) => {
    const { response, touches } = watched();
    expect(await response[method]()).toEqual(expected);
    expect(touches()).toBe(2);
  });

  it('sees the bytes that blob() reads, and keeps the type', async () => {
    const { response, touches } = watched('image/png');
    const blob = await response.blob();
    expect([blob.type, await blob.text(), touches()]).toEqual(['image/png', '{"a":1}', 2]);
  });

  it('sees the bytes that a reader of the stream reads', async () => {
    const { response, touches } = watched();
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined)).toBe('{"a":');
    expect(touches()).toBeGreaterThan(0);
  });

  it('lets the body be read once', async () => {
    const { response } = watched();
    await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow();
  });

  it('fails with a BodyError on what is not JSON', async () => {
    const response = watchDownload(new Response('<html>'), () => undefined);
    await expect(response.json()).rejects.toSatisfy(isBodyError);
  });

  it('leaves an answer without a body as it is', async () => {
    const response = watchDownload(new Response(null, { status: 204 }), () => undefined);
    expect(response.body).toBeNull();
    expect(await response.text()).toBe('');
  });

  it('does not mind what stands in for a Response', () =>
    marbles(({ expect$ }) => {
      const minimal = { ok: true, status: 200, headers: new Headers(), text: () => 'plain' } as unknown as Response;
      expect$(coldFetch(URL, { fetch: () => of(minimal), selector: (response) => from([response.text()]) })).toBeMarbles('(a|)', {
        a: 'plain',
      });
    }));
});
