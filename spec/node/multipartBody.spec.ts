import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { StreamBody } from 'coldfetch';
import { isUsageError } from 'coldfetch';
import { multipartBody } from 'coldfetch/node';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../support/folderOf.js';

/** A body as it goes out, and its parts: header and content. */
async function sent(body: ReturnType<typeof multipartBody>) {
  const { stream, length, type = '' } = (await body({ signal: new AbortController().signal })) as StreamBody;
  const bytes = await buffer(stream);
  const text = bytes.toString();
  const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(type) ?? [];
  const parts = text.split(`--${boundary}`).slice(1, -1);
  return { bytes, length, text, parts: parts.map((part) => part.slice(2, -2).split('\r\n\r\n')), end: text.slice(-boundary.length - 8) };
}

describe('multipartBody', () => {
  it('sends all fields in their order, then the file, with its exact length', async () => {
    const folder = await folderOf({ 'shot.png': Buffer.alloc(150_000, 'x') });
    const { bytes, length, parts, end } = await sent(multipartBody({ key: 'k', Policy: 'p' }, { path: join(folder, 'shot.png') }));
    expect(length).toBe(bytes.byteLength);
    expect(parts).toEqual([
      ['Content-Disposition: form-data; name="key"', 'k'],
      ['Content-Disposition: form-data; name="Policy"', 'p'],
      ['Content-Disposition: form-data; name="file"; filename="shot.png"\r\nContent-Type: image/png', 'x'.repeat(150_000)],
    ]);
    expect(end).toMatch(/^\r\n--coldfetch-[\da-f-]+--\r\n$/);
  });

  it('takes numbers and truth values as fields, as an API may give them', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const { parts } = await sent(multipartBody({ 'x-amz-expires': 900, secure: true }, { path: join(folder, 'a.png') }));
    expect(parts.slice(0, 2)).toEqual([
      ['Content-Disposition: form-data; name="x-amz-expires"', '900'],
      ['Content-Disposition: form-data; name="secure"', 'true'],
    ]);
  });

  it('is made anew each time', async () => {
    const folder = await folderOf({ 'a.png': 'one' });
    const body = multipartBody({}, { path: join(folder, 'a.png') });
    expect((await sent(body)).text).toBe((await sent(body)).text);
  });

  it('lets no name or value break out of its part', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const file = { path: join(folder, 'a.png'), filename: 'a"\r\nX: 1.png', type: 'image/png' };
    const { parts, text } = await sent(multipartBody({ 'n"\n': 'two\nlines', ünï: 'çödé', 'a\u0001\u007f': '1' }, file));
    expect(text).not.toMatch(/^X: 1/m);
    expect(parts).toEqual([
      ['Content-Disposition: form-data; name="n%22%0A"', 'two\r\nlines'],
      ['Content-Disposition: form-data; name="ünï"', 'çödé'],
      ['Content-Disposition: form-data; name="a%01%7F"', '1'],
      ['Content-Disposition: form-data; name="file"; filename="a%22%0D%0AX: 1.png"\r\nContent-Type: image/png', 'x'],
    ]);
  });

  it('refuses a type with a line break', () => {
    expect(() => multipartBody({}, { path: 'a.png', type: 'image/png\r\nX: 1' })).toThrow(/^The type of a\.png holds a line break/);
  });

  it('names a file that is missing', async () => {
    const body = multipartBody({}, { path: '/nowhere/a.png' });
    const error: unknown = await Promise.resolve(body({ signal: new AbortController().signal })).catch((reason: unknown) => reason);
    expect([isUsageError(error), String(error)]).toEqual([true, 'UsageError: /nowhere/a.png does not exist']);
  });
});
