import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { FormData as UndiciFormData } from 'undici';
import FormStream from 'form-data';
import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, isUsageError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { sourceOf } from '../../src/request/multipart.js';
import type { Body } from '../../src/request/RequestBody.js';
import type { UploadMeter } from '../../src/transport/meterUpload.js';
import { outgoingBody } from '../../src/transport/outgoingBody.js';
import { StreamlessBlob, UntaggedBlob, UntaggedForm } from '../support/domBlobs.js';
import { failureOf } from '../support/failureOf.js';

const KIB_64 = 65_536;
const { signal } = new AbortController();

/** A meter that writes down what it hears. */
function meter() {
  const heard: string[] = [];
  const made: UploadMeter = {
    idle: { touch: () => heard.push('touch'), pause: () => heard.push('pause') },
    progress: (loaded, total) => heard.push(`${loaded}/${total ?? '?'}`),
    failed: (error) => heard.push(String(error)),
  };
  return { ...made, heard, progressed: () => heard.filter((line) => line.includes('/')) };
}

const sent = (body: Body, own = meter()) => outgoingBody(body, { signal }, own);
const bytesOf = async (body: ReturnType<typeof sent>): Promise<Buffer> => Buffer.from(await new Response(body.body).arrayBuffer());
const stream = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
async function* pieces(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('grüße');
  yield await Promise.resolve('!' as unknown as Uint8Array);
}
/** A form of a text and a file of so many bytes. */
function formOf(bytes: number, form: Pick<FormData, 'append'> = new FormData()): FormData {
  form.append('näme "q"\r', 'two\nlines');
  form.append('file', new File(['x'.repeat(bytes)], 'a"b\n.png', { type: 'image/png' }));
  form.append('raw', new File(['y'], 'plain'));
  return form as FormData;
}

describe('outgoingBody', () => {
  it.each<[string, Body, number]>([
    ['text, in UTF-8', 'grüße', 7],
    ['bytes', new Uint8Array(10), 10],
    ['a buffer', new ArrayBuffer(10), 10],
    ['URL parameters', new URLSearchParams({ a: 'b' }), 3],
    ['a Blob', new Blob(['abc']), 3],
    ['as much as fits at once', 'x'.repeat(KIB_64), KIB_64],
  ])('hands what is small over as it is, counted as sent at once: %s', (_, body, total) => {
    expect(sent(body)).toEqual({ body, total, counted: true, streamed: false, external: false });
  });

  it('hands the bytes of a small stream over in its place, not to be sent on to where a redirect leads', () => {
    const bytes = new Uint8Array(KIB_64);
    const body = { stream: stream('never read'), bytes, length: KIB_64, type: 'image/png' };
    expect(sent(body)).toEqual({ body: bytes, total: KIB_64, type: 'image/png', counted: true, streamed: false, external: true });
    expect(body.stream.locked).toBe(false);
    const long = { stream: stream('read'), bytes: new Uint8Array(KIB_64 + 1), length: 4 };
    expect(sent(long)).toMatchObject({ total: 4, streamed: true, external: true });
  });

  it.each<[string, Body, number, string | undefined]>([
    ['text', 'ü'.repeat(KIB_64), 2 * KIB_64, 'text/plain;charset=UTF-8'],
    ['bytes', new Uint8Array(3 * KIB_64), 3 * KIB_64, undefined],
    ['a view of bytes', new DataView(new ArrayBuffer(3 * KIB_64), 1), 3 * KIB_64 - 1, undefined],
    ['a Blob', new Blob(['x'.repeat(3 * KIB_64)], { type: 'image/png' }), 3 * KIB_64, 'image/png'],
    ['URL parameters', new URLSearchParams({ a: 'x'.repeat(KIB_64) }), KIB_64 + 2, 'application/x-www-form-urlencoded;charset=UTF-8'],
    [
      'a stream with its length',
      { stream: stream('x'.repeat(3 * KIB_64)), length: 3 * KIB_64, type: 'image/png' },
      3 * KIB_64,
      'image/png',
    ],
  ])('meters what is large in pieces of 64 KiB: %s', async (_, body, total, type) => {
    const own = meter();
    const outgoing = sent(body, own);
    expect(outgoing).toMatchObject({ total, type, counted: true, streamed: true });
    expect((await bytesOf(outgoing)).byteLength).toBe(total);
    expect(own.progressed()).toEqual(
      [...Array(Math.ceil(total / KIB_64)).keys()].map((n) => `${Math.min((n + 1) * KIB_64, total)}/${total}`),
    );
  });

  it.each<[string, () => Body]>([
    ['one without a tag, as of happy-dom', () => new UntaggedBlob('abc', { type: 'text/plain' }) as unknown as Blob],
    ['one without a stream, as of jsdom', () => new StreamlessBlob(['abc'], { type: 'text/plain' })],
  ])('reads a Blob that the fetch of the platform cannot: %s', async (_, make) => {
    const blob = make();
    const outgoing = sent(blob);
    expect(outgoing).toMatchObject({ total: 3, type: 'text/plain', streamed: true });
    expect((await bytesOf(outgoing)).toString()).toBe('abc');
    expect(sourceOf(outgoing.body)).toBe(blob);
  });

  it('counts a small Blob as sent at once in virtual time, whichever implementation it is of', () =>
    marbles(({ server, expect$ }) => {
      server.on('PUT /file', '5ms a', { a: 200 });
      const http = createClient({ baseUrl: server.url, fetch: server.fetch });
      const events$ = http.put('/file', new StreamlessBlob(['abc']), { observe: 'events' });
      expect$(events$.pipe(map(({ type }) => type))).toBeMarbles('(su) - (hr|)', { s: 'sent', u: 'upload', h: 'headers', r: 'response' });
    }));

  it('sends bytes as they were at the send', async () => {
    const bytes = new Uint8Array(KIB_64 + 1).fill(1);
    const outgoing = sent(bytes);
    bytes.fill(2);
    expect((await bytesOf(outgoing)).every((byte) => byte === 1)).toBe(true);
  });

  it('counts an async iterable of texts and bytes', async () => {
    const own = meter();
    const outgoing = sent(pieces(), own);
    expect((await bytesOf(outgoing)).toString()).toBe('grüße!');
    expect([own.progressed(), outgoing.total]).toEqual([['7/?', '8/?'], undefined]);
  });

  it('stops the idle time while the source makes its bytes, and only then', async () => {
    const own = meter();
    await bytesOf(sent(Readable.from(['a', 'b']), own));
    expect(own.heard).toEqual(['pause', 'touch', '1/?', 'pause', 'touch', '2/?', 'pause', 'touch']);
  });

  it('passes empty chunks over', async () => {
    const chunks = Readable.from([new Uint8Array(), Buffer.from('a'), new Uint8Array()]);
    expect((await bytesOf(sent(chunks as unknown as Body))).toString()).toBe('a');
  });

  it('knows what is not in memory: files and streams, which a redirect must not be followed with', () => {
    const bodies: Body[] = [stream('a'), { stream: stream('a') }, pieces(), new Blob(['x'.repeat(KIB_64 + 1)])];
    expect(bodies.map((body) => sent(body).external)).toEqual([true, true, true, true]);
    expect(['x'.repeat(KIB_64 + 1), formOf(KIB_64)].map((body) => sent(body).external)).toEqual([false, false]);
  });

  it('stops reading its source when the attempt ends', async () => {
    const controller = new AbortController();
    let cancelled: unknown;
    const source = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = reason) });
    const outgoing = outgoingBody(source, controller, meter());
    const reading = new Response(outgoing.body).text().catch(() => 'aborted');
    controller.abort('gone');
    expect(await reading).toBe('aborted');
    expect(cancelled).toBe('gone');
  });

  it('may be left once its length has been read, before its source has ended', async () => {
    const source = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    const own = meter();
    const reader = (sent({ stream: source, length: 10 }, own).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const pending = reader.read();
    await setImmediate();
    await reader.cancel();
    expect(await pending).toEqual({ done: true, value: undefined });
    await setImmediate();
    expect(own.heard.filter((line) => line.includes('Error'))).toEqual([]);
  });

  it.each<[string, () => Body]>([
    ['a stream', () => new ReadableStream({ pull: (controller) => controller.error(new Error('the disk is gone')) })],
    [
      'an async iterable',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('the disk is gone'));
          },
        }),
    ],
  ])('tells of the error of its own source: %s', async (_, make) => {
    const own = meter();
    await expect(bytesOf(sent(make(), own))).rejects.toThrow();
    expect(own.heard.at(-1)).toBe('Error: the disk is gone');
  });

  it('refuses a stream of texts', async () => {
    const own = meter();
    const texts = new ReadableStream({ start: (controller) => controller.enqueue('text') });
    await expect(bytesOf(sent(texts, own))).rejects.toThrow();
    expect(own.heard.at(-1)).toContain('give it as a Uint8Array');
  });

  it('refuses a stream that was already read', async () => {
    const used = stream('abc');
    await new Response(used).text();
    expect(isUsageError(failureOf(() => sent(used)))).toBe(true);
    expect(failureOf(() => sent({ stream: used })).message).toContain('make it anew each time');
  });
});

describe('a form', () => {
  it.each([1, KIB_64])('goes out as multipart of known length: of %i bytes', async (bytes) => {
    const outgoing = sent(formOf(bytes));
    const encoded = await bytesOf(outgoing);
    expect(encoded.byteLength).toBe(outgoing.total);
    const platform = new Response(formOf(bytes));
    const type = platform.headers.get('content-type') ?? '';
    expect(withoutBoundary(encoded.toString(), outgoing.type ?? (outgoing.body as Blob).type)).toBe(
      withoutBoundary(await platform.text(), type),
    );
  });

  it.each([1, KIB_64])('is known behind what it is sent as: of %i bytes', (bytes) => {
    const form = formOf(bytes);
    expect(sourceOf(sent(form).body)).toBe(form);
  });

  it('without a tag, as of happy-dom, is one', async () => {
    const outgoing = sent(formOf(1, new UntaggedForm()));
    expect((await bytesOf(outgoing)).toString()).toContain('filename="plain"');
  });

  it('of undici is one of the platform', async () => {
    const form = formOf(1, new UndiciFormData());
    const { body } = sent(form);
    expect((body as Blob).type).toMatch(/^multipart\/form-data; boundary=/);
    expect(await (body as Blob).text()).toContain('filename="plain"\r\nContent-Type: application/octet-stream\r\n\r\ny\r\n');
  });

  it('escapes what would end a name, and what servers refuse in one', async () => {
    const form = new FormData();
    form.append('a\u0001\u007f"b', new File(['x'], 'c\u001b.png'));
    expect(await (sent(form).body as Blob).text()).toContain('name="a%01%7F%22b"; filename="c%1B.png"\r\n');
  });

  it('with a file of another implementation is refused', () => {
    const foreign = { [Symbol.toStringTag]: 'File', name: 'a.png', slice: () => undefined, arrayBuffer: () => undefined };
    const form = {
      [Symbol.toStringTag]: 'FormData',
      getAll: () => [],
      *[Symbol.iterator]() {
        yield ['file', foreign];
      },
    };
    expect(failureOf(() => sent(form as unknown as Body)).message).toContain('a.png of the form is not a File of this platform');
  });

  function withoutBoundary(text: string, type: string): string {
    return text.replaceAll(/boundary=(.+)$/.exec(type)?.[1] ?? '', 'BOUNDARY');
  }
});

describe('memory that threads share', () => {
  it.each<[string, () => Uint8Array | SharedArrayBuffer]>([
    ['as it is', () => new SharedArrayBuffer(3)],
    ['a view of it', () => new Uint8Array(new SharedArrayBuffer(9), 3, 3)],
    ['a large view of it', () => new Uint8Array(new SharedArrayBuffer(100_000))],
  ])('goes out as a copy, since no fetch takes it: %s', async (_, make) => {
    const body = make();
    expect(Buffer.from(await new Response(sent(body as unknown as Body).body).arrayBuffer())).toEqual(Buffer.alloc(body.byteLength));
  });
});

describe('a form of the package form-data', () => {
  it('goes out as the stream it is, with its length and type', async () => {
    const form = new FormStream();
    form.append('name', 'Ada');
    form.append('file', Buffer.from('xxx'), { filename: 'a.png' });
    const expected = form.getBuffer();
    const outgoing = sent(form);
    expect(outgoing).toMatchObject({ total: expected.byteLength, type: form.getHeaders()['content-type'], streamed: true, external: true });
    expect(await bytesOf(outgoing)).toEqual(expected);
  });

  it('is the end of a form where it has no fields', async () => {
    const form = new FormStream();
    const outgoing = sent(form);
    expect((await bytesOf(outgoing)).toString()).toBe(`--${form.getBoundary()}--\r\n`);
    expect(outgoing).toMatchObject({ total: form.getBoundary().length + 6, type: form.getHeaders()['content-type'] });
  });

  it('is refused when it has been sent already', async () => {
    const form = new FormStream();
    form.append('name', 'Ada');
    await bytesOf(sent(form));
    expect(() => sent(form)).toThrow('The form of form-data was already sent; make it anew, in a body function');
  });

  it('is sent without a length where a stream in it has none', async () => {
    const form = new FormStream();
    form.append('file', createReadStream(import.meta.filename));
    const outgoing = sent(form);
    expect(outgoing.total).toBeUndefined();
    expect((await bytesOf(outgoing)).toString()).toContain('a form of the package form-data');
  });

  it('fails with the error of a stream in it', async () => {
    const form = new FormStream();
    form.append('file', createReadStream('/nowhere/a.png'));
    const own = meter();
    await expect(bytesOf(sent(form as unknown as Body, own))).rejects.toThrow();
    expect(own.heard.at(-1)).toContain('ENOENT');
  });

  it('stops when it is cancelled', async () => {
    const form = new FormStream();
    form.append('file', new Readable({ read: () => undefined }));
    const reader = (sent(form).body as ReadableStream).getReader();
    await reader.read();
    const read = reader.read();
    await reader.cancel();
    expect(await read).toEqual({ done: true, value: undefined });
  });
});
