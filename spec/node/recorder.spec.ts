import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import { answering, offline, recordingFolder, rejectionOf, USERS } from './recorder.support.js';

describe('recorder', () => {
  const raw = recordingFolder();

  it('writes a readable file for the header fields and one for the body, and gives the answer as it came', async () => {
    const fetch = recorder(raw.path, { fetch: answering('{"n":1}', { status: 201, headers: { 'content-type': 'application/json' } }) });
    const response = await fetch(USERS, { headers: { accept: 'application/json' } });
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({ status: 201, type: 'application/json' });
    expect(await response.text()).toBe('{"n":1}');
    expect(raw.files()).toEqual([
      expect.stringMatching(/^GET_api\.example_v1_users_[\da-f]{12}\.[\da-f]{12}\.body$/),
      expect.stringMatching(/^GET_api\.example_v1_users_[\da-f]{12}\.headers\.json$/),
    ]);
    expect(raw.textOf('.body')).toBe('{"n":1}');
    expect(JSON.parse(raw.textOf('.headers.json'))).toEqual({
      request: { method: 'GET', url: USERS, headers: [['accept', 'application/json']] },
      response: { status: 201, statusText: '', url: '', redirected: false, headers: [['content-type', 'application/json']] },
      recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      complete: true,
      body: { file: raw.files()[0], bytes: 7 },
    });
  });

  it.each([
    ['text', 'ä'.repeat(100), { status: 200, statusText: 'Fine' }],
    ['bytes', Uint8Array.from({ length: 200_000 }, (_, i) => i % 251), { status: 200 }],
    ['an empty body', '', { status: 200 }],
    ['no body', null, { status: 204 }],
    ['a failure', 'busy', { status: 429, headers: { 'retry-after': '3' } }],
  ])('replays %s, without a request', async (_, body, init) => {
    await (await recorder(raw.path, { fetch: answering(body, init) })(USERS)).arrayBuffer();
    const replayed = await recorder(raw.path, { mode: 'replay', fetch: offline })(USERS);
    expect({ status: replayed.status, statusText: replayed.statusText, retry: replayed.headers.get('retry-after') }).toEqual({
      status: init.status,
      statusText: 'statusText' in init ? init.statusText : '',
      retry: 'headers' in init ? init.headers['retry-after'] : null,
    });
    expect(new Uint8Array(await replayed.arrayBuffer())).toEqual(new Uint8Array(await new Response(body).arrayBuffer()));
  });

  it('keeps several set-cookie fields apart, and their values to itself', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=secret; Path=/'],
      ['set-cookie', 'b=secret'],
    ]);
    await (await recorder(raw.path, { fetch: answering('x', { headers }) })(USERS)).text();
    const replayed = await recorder(raw.path, { mode: 'replay' })(USERS);
    expect(replayed.headers.getSetCookie()).toEqual(['REDACTED', 'REDACTED']);
  });

  describe('a later answer', () => {
    const record = async (body: string, status = 200): Promise<void> => {
      await (await recorder(raw.path, { fetch: answering(body, { status }) })(USERS)).text();
    };
    const replayed = async (): Promise<string> => (await recorder(raw.path, { mode: 'replay' })(USERS)).text();

    it('takes the place of an earlier one, and leaves no file of it', async () => {
      await record('old');
      await record('new');
      expect(await replayed()).toBe('new');
      expect(raw.files()).toHaveLength(2);
    });

    it('takes the place of others that are recorded at the same time, and leaves no file of them', async () => {
      let n = 0;
      const fetch = recorder(raw.path, { fetch: () => of(new Response(`body ${n++ % 3}`)) });
      await Promise.all(Array.from({ length: 20 }, async () => (await fetch(USERS)).text()));
      expect(await replayed()).toMatch(/^body [012]$/);
      expect(raw.files()).toHaveLength(2);
    });

    it('that is a success takes the place of a failure', async () => {
      await record('busy', 429);
      expect(await replayed()).toBe('busy');
      await record('fine');
      expect(await replayed()).toBe('fine');
    });

    it('that is a failure does not take the place of a success', async () => {
      await record('fine');
      await record('broken', 500);
      expect(await replayed()).toBe('fine');
      expect(raw.files()).toHaveLength(2);
    });
  });

  it('clears away what killed processes left an hour ago, and nothing else', async () => {
    await (await recorder(raw.path, { fetch: answering('x') })(USERS)).text();
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    const left = [`body.${uuid}.tmp`, `GET_a_0123456789ab.headers.json.${uuid}.tmp`, 'mine.tmp', 'body.tmp'].map((name) =>
      join(raw.path, name),
    );
    const young = join(raw.path, `body.${uuid.replace('0', 'f')}.tmp`);
    for (const path of [...left, young]) writeFileSync(path, 'half');
    const long = new Date(Date.now() - 3_700_000);
    for (const path of left) utimesSync(path, long, long);
    await (await recorder(raw.path, { fetch: answering('y') })(USERS)).text();
    expect([...left, young].map((path) => existsSync(path))).toEqual([false, false, true, true, true]);
  });

  it('passes a failure to connect on as it is', async () => {
    expect(await rejectionOf(recorder(raw.path, { fetch: offline })(USERS))).toMatchObject({ message: 'no network' });
    expect(raw.files()).toEqual([]);
  });

  it.each([undefined, null, 5, ''])('refuses %o, which is no folder, at the call', (path) => {
    expect(() => recorder(path as string)).toThrow(expect.toSatisfy(isUsageError));
    expect(() => recorder(path as string)).toThrow(
      /^recorder: folder is (undefined|null|5|''); give the path of a folder for the recordings$/,
    );
  });

  it.each([
    [{ mode: 'Replay' }, "recorder: mode is Replay; give 'record', 'replay' or 'fill'"],
    [{ answers: 'last' }, "recorder: answers is last; give 'latest' or 'all'"],
    [{ fetch: 'fetch' }, 'recorder: fetch is fetch; give a function that makes a request, as fetch does'],
  ])('refuses %o at the call', (options, message) => {
    expect(() => recorder(raw.path, options as never)).toThrow(message);
  });

  it('writes files that only the user may read', async () => {
    await (await recorder(raw.path, { fetch: answering('x') })(USERS)).text();
    expect(raw.files().map((name) => statSync(join(raw.path, name)).mode & 0o077)).toEqual([0, 0]);
  });
});
