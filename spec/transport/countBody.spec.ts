import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import type { Body } from '../../src/request/RequestBody.js';
import { countBody } from '../../src/transport/countBody.js';

const KIB_64 = 65_536;
const quiet = (): void => undefined;
const { signal } = new AbortController();
const count = (body: Body) => countBody(body, signal, quiet);
const stream = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
async function* pieces(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('grüße');
  yield await Promise.resolve('!' as unknown as Uint8Array);
}

describe('countBody', () => {
  it.each<[string, Body, number]>([
    ['text, in UTF-8', 'grüße', 7],
    ['bytes', new Uint8Array(10), 10],
    ['a buffer', new ArrayBuffer(10), 10],
    ['URL parameters', new URLSearchParams({ a: 'b' }), 3],
    ['a Blob', new Blob(['abc']), 3],
    ['as much as fits at once', 'x'.repeat(KIB_64), KIB_64],
  ])('hands what is small over as it is, counted as sent at once: %s', (_, body, total) => {
    expect(count(body)).toEqual({ body, total, counted: true, streamed: false, external: false });
  });

  it.each<[string, Body, number, string | undefined]>([
    ['text', 'x'.repeat(KIB_64 + 1), KIB_64 + 1, 'text/plain;charset=UTF-8'],
    ['bytes', new Uint8Array(KIB_64 + 1), KIB_64 + 1, ''],
    ['a Blob', new Blob(['x'.repeat(KIB_64 + 1)], { type: 'image/png' }), KIB_64 + 1, 'image/png'],
    ['a stream with its length', { stream: stream('abc'), length: 3, type: 'image/png' }, 3, 'image/png'],
  ])('makes a counted stream of what is large: %s', async (_, body, total, type) => {
    const heard: [number, number | undefined][] = [];
    const outgoing = countBody(body, signal, (...progress) => heard.push(progress));
    expect(outgoing).toMatchObject({ total, type, counted: true, streamed: true });
    const bytes = await new Response(outgoing.body).arrayBuffer();
    expect(bytes.byteLength).toBe(total);
    expect(heard.at(-1)).toEqual([total, total]);
  });

  it('counts an async iterable of texts and bytes', async () => {
    const heard: number[] = [];
    const outgoing = countBody(pieces(), signal, (loaded) => heard.push(loaded));
    expect(await new Response(outgoing.body).text()).toBe('grüße!');
    expect([heard, outgoing.total]).toEqual([[7, 8], undefined]);
  });

  it('knows what is not in memory: files and streams, which a redirect must not be followed with', () => {
    const bodies: Body[] = [stream('a'), { stream: stream('a') }, pieces(), new Blob(['x'.repeat(KIB_64 + 1)])];
    expect(bodies.map((body) => count(body).external)).toEqual([true, true, true, true]);
    expect(count('x'.repeat(KIB_64 + 1)).external).toBe(false);
  });

  it('leaves a large form to the platform, uncounted', () => {
    const form = new FormData();
    form.append('file', new Blob(['x'.repeat(KIB_64)]));
    expect(count(form)).toEqual({ body: form, total: KIB_64 + 4, counted: false, streamed: false, external: false });
  });

  it('stops reading its source when the attempt ends', async () => {
    const controller = new AbortController();
    let cancelled: unknown;
    const source = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = reason) });
    const outgoing = countBody(source, controller.signal, quiet);
    const reading = new Response(outgoing.body).text().catch(() => 'aborted');
    controller.abort('gone');
    expect(await reading).toBe('aborted');
    expect(cancelled).toBe('gone');
  });

  it('refuses a stream that was already read', async () => {
    const used = stream('abc');
    await new Response(used).text();
    expect(() => count(used)).toThrow('make it anew each time');
    expect(
      isUsageError(
        await Promise.resolve()
          .then(() => count({ stream: used }))
          .catch((error: unknown) => error),
      ),
    ).toBe(true);
  });
});
