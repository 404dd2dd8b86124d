import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { coldFetch } from 'coldfetch';
import { multipartBody } from 'coldfetch/node';
import type { RunningServer, ServerOptions } from 'coldfetch/server';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../node/support.js';
import { buildOf, call, formOf, keyOf, post, serve, signed, type Upload } from '../support.js';

const MiB = 1024 * 1024;

async function oneUpload(options?: ServerOptions): Promise<{ server: RunningServer; upload: Upload }> {
  const server = await serve(options);
  const [upload] = await signed(server, 'file');
  if (upload === undefined) throw new Error('nothing to upload');
  return { server, upload };
}

const filesOf = (server: RunningServer): Promise<string[]> => readdir(join(server.folder, 'files'));
const halfOf = (server: RunningServer): Promise<string[]> => readdir(join(server.folder, 'incoming'));

describe('object storage', () => {
  it('keeps a file under its key, without a token', async () => {
    const { server, upload } = await oneUpload();
    expect((await post(upload, formOf(upload, 'file'))).status).toBe(204);
    expect(await readFile(join(server.folder, 'files', keyOf('file')), 'utf8')).toBe('file');
    expect(server.requests.at(-1)).toMatchObject({ route: 'POST /storage/:key', status: 204, bytes: 4, sha256: keyOf('file') });
  });

  it('takes a file whose name holds control characters', async () => {
    const { server, upload } = await oneUpload();
    const form = formOf(upload, 'file');
    form.set('file', new File(['file'], 'a\u0001\u001b[31m.png'));
    expect((await firstValueFrom(coldFetch(upload.postUrl, { method: 'POST', body: form }))).status).toBe(204);
    const folder = await folderOf({ 'shot.png': 'file' });
    const body = multipartBody(upload.fields, { path: join(folder, 'shot.png'), filename: 'b\u0002\u007f.png' });
    expect((await firstValueFrom(coldFetch(upload.postUrl, { method: 'POST', body }))).status).toBe(204);
    expect(await filesOf(server)).toEqual([keyOf('file')]);
  });

  it('makes the API ask for what is missing only: a second run is a resume', async () => {
    const { server, upload } = await oneUpload();
    await post(upload, formOf(upload, 'file'));
    const { json } = await call(server, 'POST', 'builds', buildOf(['file', 'other']));
    expect(json.screenshots?.map(({ key }) => key)).toEqual([keyOf('other')]);
  });

  it('takes 50 MiB, and refuses a byte more with its limit', async () => {
    const { server, upload } = await oneUpload();
    expect(await post(upload, formOf(upload, new Uint8Array(50 * MiB + 1)))).toMatchObject({ status: 400, code: 'EntityTooLarge' });
    expect([await filesOf(server), await halfOf(server)]).toEqual([[], []]);
    expect((await post(upload, formOf(upload, new Uint8Array(50 * MiB)))).status).toBe(204);
  });

  it('refuses an empty file', async () => {
    const { server, upload } = await oneUpload();
    const answer = await post(upload, formOf(upload, ''));
    expect(answer).toMatchObject({ status: 400, code: 'EntityTooSmall' });
    expect(answer.text).toContain('<MinSizeAllowed>1</MinSizeAllowed>');
    expect([await filesOf(server), await halfOf(server)]).toEqual([[], []]);
  });

  it('refuses an expired signature', async () => {
    const { upload } = await oneUpload({ expiresIn: 0 });
    expect(await post(upload, formOf(upload, 'file'))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      message: 'Invalid according to Policy: Policy expired.',
    });
  });

  it('takes the second signature where only the first was made to expire', async () => {
    const { server, upload } = await oneUpload({ expiresIn: ({ count }) => (count === 0 ? 0 : 60_000) });
    expect((await post(upload, formOf(upload, 'file'))).status).toBe(403);
    const [again] = await signed(server, 'file');
    if (again === undefined) throw new Error('not signed again');
    expect((await post(again, formOf(again, 'file'))).status).toBe(204);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['another content type', { 'Content-Type': 'image/jpeg' }, 'Policy Condition failed: ["eq","$Content-Type","image/png"]'],
    ['no content type', { 'Content-Type': undefined }, 'Policy Condition failed: ["eq","$Content-Type","image/png"]'],
    ['another key', { key: keyOf('other') }, 'Policy Condition failed: ["eq","$key"'],
    ['a field that is not signed', { acl: 'public-read' }, 'Extra input fields: acl'],
    ['no policy', { Policy: undefined }, 'Access Denied'],
  ])('refuses %s', async (_, changes, message) => {
    const { server, upload } = await oneUpload();
    const answer = await post(upload, formOf(upload, 'file', changes));
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(answer.message).toContain(message);
    expect([await filesOf(server), await halfOf(server)]).toEqual([[], []]);
  });

  it('refuses a policy that was changed', async () => {
    const { upload } = await oneUpload();
    const policy = Buffer.from(JSON.stringify({ expiration: '2999-01-01T00:00:00Z', conditions: [] })).toString('base64');
    expect(await post(upload, formOf(upload, 'file', { Policy: policy }))).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
  });

  it('refuses a form for another key, and a key that nobody signed', async () => {
    const { server, upload } = await oneUpload();
    const elsewhere = { ...upload, postUrl: `${server.url}/storage/${keyOf('unknown')}` };
    expect(await post(elsewhere, formOf(upload, 'file'))).toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  it('does not see fields that come after the file', async () => {
    const { upload } = await oneUpload();
    const form = new FormData();
    form.append('file', new Blob(['file'], { type: 'image/png' }), 'shot.png');
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
    expect(await post(upload, form)).toMatchObject({
      status: 403,
      message: expect.stringContaining('must come before the file') as string,
    });
  });

  it('wants a file', async () => {
    const { upload } = await oneUpload();
    const form = formOf(upload, 'file');
    form.delete('file');
    expect(await post(upload, form)).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  it('wants a form', async () => {
    const { upload } = await oneUpload();
    const response = await fetch(upload.postUrl, { method: 'POST', body: 'file' });
    expect(response.status).toBe(412);
    expect(response.headers.get('content-type')).toContain('application/xml');
  });

  it('wants the length beforehand: a chunked upload is refused', async () => {
    const { upload } = await oneUpload();
    const body = new Blob(['x']).stream();
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await fetch(upload.postUrl, { method: 'POST', body, headers, duplex: 'half' });
    expect(response.status).toBe(411);
    expect(await response.text()).toContain('<Code>MissingContentLength</Code>');
  });

  it('answers other methods with 405 in XML', async () => {
    const { upload } = await oneUpload();
    expect((await fetch(upload.postUrl)).status).toBe(405);
  });

  it('answers a body that is no well-formed form with 400', async () => {
    const { upload } = await oneUpload();
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await fetch(upload.postUrl, { method: 'POST', body: '--b\r\nnonsense', headers });
    expect(response.status).toBe(400);
  });

  it('leaves nothing of an upload that was broken off', async () => {
    const { server, upload } = await oneUpload();
    const form = await new Response(formOf(upload, new Uint8Array(MiB))).blob();
    const bytes = Buffer.from(await form.arrayBuffer());
    const socket = connect(server.port, '127.0.0.1');
    const path = new URL(upload.postUrl).pathname;
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${form.type}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes.subarray(0, MiB / 2));
    await expect.poll(() => halfOf(server)).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => halfOf(server)).toHaveLength(0);
    expect(await filesOf(server)).toEqual([]);
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true);
  });

  it('leaves nothing when it is closed during an upload', async () => {
    const { server, upload } = await oneUpload();
    const form = await new Response(formOf(upload, new Uint8Array(MiB))).blob();
    const bytes = Buffer.from(await form.arrayBuffer());
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST ${new URL(upload.postUrl).pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: ${form.type}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, MiB / 2));
    await expect.poll(() => halfOf(server)).toHaveLength(1);
    await server.close();
    await expect(readdir(server.folder)).rejects.toThrow(/ENOENT/);
  });
});
