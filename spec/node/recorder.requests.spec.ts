import { Readable } from 'node:stream';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import type { FetchLike } from '../../src/request/FetchLike.js';
import { answering, recordingFolder, rejectionOf, USERS } from './recorder.support.js';

/** Answers with what it was sent. */
const reading: FetchLike = async (input, init) => new Response(await new Request(input, init).text());

describe('recorder', () => {
  const raw = recordingFolder();

  describe('tells requests apart', () => {
    it.each<[string, Parameters<FetchLike>, Parameters<FetchLike>]>([
      ['by method', [USERS, {}], [USERS, { method: 'DELETE' }]],
      ['by query', [USERS, {}], ['https://api.example/v1/users?page=3', {}]],
      ['by text body', [USERS, { method: 'POST', body: 'a' }], [USERS, { method: 'POST', body: 'b' }]],
      ['by bytes', [USERS, { method: 'POST', body: Uint8Array.of(1) }], [USERS, { method: 'POST', body: Uint8Array.of(2) }]],
      [
        'by any view of bytes',
        [USERS, { method: 'POST', body: new DataView(Uint8Array.of(1).buffer) }],
        [USERS, { method: 'POST', body: Uint16Array.of(2) }],
      ],
      ['by file', [USERS, { method: 'POST', body: new Blob(['a']) }], [USERS, { method: 'POST', body: new Blob(['b']) }]],
      ['by the fields of a form', [USERS, { method: 'POST', body: form({ a: '1' }) }], [USERS, { method: 'POST', body: form({ a: '2' }) }]],
      [
        'by the files of a form',
        [USERS, { method: 'POST', body: form({ a: 'x.png' }, 'a') }],
        [USERS, { method: 'POST', body: form({ a: 'x.png' }, 'b') }],
      ],
      [
        'by the body of a Request',
        [new Request(USERS, { method: 'POST', body: 'a' }), {}],
        [new Request(USERS, { method: 'POST', body: 'b' }), {}],
      ],
      ['by page of a list', ['https://api.example/rows?page_token=a', {}], ['https://api.example/rows?page_token=b', {}]],
      ['by what they accept', [USERS, { headers: { accept: 'text/csv' } }], [USERS, { headers: { accept: 'text/html' } }]],
      ['by range', [USERS, { headers: { range: 'bytes=0-1' } }], [USERS, { headers: { range: 'bytes=2-3' } }]],
    ])('%s', async (_, first, second) => {
      await (await recorder(raw.path, { fetch: answering('first') })(...first)).text();
      await (await recorder(raw.path, { fetch: answering('second') })(...second)).text();
      expect(await (await recorder(raw.path, { mode: 'replay' })(...first)).text()).toBe('first');
      expect(await (await recorder(raw.path, { mode: 'replay' })(...second)).text()).toBe('second');
    });

    it.each([
      ['text', 'päyload'],
      ['bytes', new TextEncoder().encode('päyload')],
      ['a file', new Blob(['päyload'])],
      ['a stream', () => new Blob(['päyload']).stream()],
      ['what is iterated', () => Readable.from([Buffer.from('päy'), Buffer.from('load')])],
    ])('and knows the same bytes in %s', async (_, body) => {
      const init = (): RequestInit => ({ method: 'POST', body: (typeof body === 'function' ? body() : body) as string, duplex: 'half' });
      await (await recorder(raw.path, { fetch: reading })(USERS, init())).text();
      const replay = recorder(raw.path, { mode: 'replay' });
      expect(await (await replay(USERS, { method: 'POST', body: 'päyload' })).text()).toBe('päyload');
      expect(await (await replay(USERS, init())).text()).toBe('päyload');
      expect(await rejectionOf(replay(USERS, { method: 'POST', body: 'payload' }))).toMatchObject({
        message: `POST ${USERS} was not recorded in ${raw.path}; the nearest is the same with another body, redirect mode or field accept, range, last-event-id. Record it, or use mode: 'fill'`,
      });
    });

    it('by a form, whose boundary is another each time', async () => {
      await (await recorder(raw.path, { fetch: answering('x') })(USERS, { method: 'POST', body: form({ a: '1' }) })).text();
      expect(await (await recorder(raw.path, { mode: 'replay' })(USERS, { method: 'POST', body: form({ a: '1' }) })).text()).toBe('x');
    });

    it('and leaves the body of a Request and a stream to be sent', async () => {
      const stream = (): RequestInit => ({ method: 'POST', body: new Blob(['b']).stream(), duplex: 'half' });
      for (const mode of ['record', 'fill'] as const) {
        const fetch = recorder(`${raw.path}/${mode}`, { mode, fetch: reading });
        expect(await (await fetch(new Request(USERS, { method: 'POST', body: 'a' }))).text()).toBe('a');
        expect(await (await fetch(USERS, stream())).text()).toBe('b');
      }
    });

    it('not by a stream that was not sent to its end: its answer is not recorded', async () => {
      const early = answering('too large', { status: 413 });
      const body = new ReadableStream({ pull: (controller) => controller.enqueue(Uint8Array.of(1)) });
      expect((await recorder(raw.path, { fetch: early })(USERS, { method: 'POST', body, duplex: 'half' })).status).toBe(413);
      expect(raw.files()).toEqual([]);
    });

    it('by who follows redirects', async () => {
      const moved = answering(null, { status: 302, headers: { location: '/there' } });
      const there = Object.defineProperties(new Response('there'), { redirected: { value: true } });
      await recorder(raw.path, { fetch: moved })(USERS, { redirect: 'manual' });
      expect(await rejectionOf(recorder(raw.path, { mode: 'replay' })(USERS))).toSatisfy(isUsageError);
      await (await recorder(raw.path, { fetch: () => of(there) })(USERS)).text();
      const replay = recorder(raw.path, { mode: 'replay' });
      expect((await replay(USERS, { redirect: 'manual' })).status).toBe(302);
      expect(await (await replay(USERS)).text()).toBe('there');
      expect(await rejectionOf(replay(USERS, { redirect: 'error' }))).toSatisfy(isUsageError);
    });

    it('not by who would follow redirects, where there was none', async () => {
      await (await recorder(raw.path, { fetch: answering('x') })(USERS)).text();
      expect(await (await recorder(raw.path, { mode: 'replay' })(USERS, { redirect: 'manual' })).text()).toBe('x');
    });
  });
});

/** A form; with `text`, of files that hold it. */
function form(fields: Readonly<Record<string, string>>, text?: string): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (text === undefined) made.append(name, value);
    else made.append(name, new Blob([text], { type: 'image/png' }), value);
  }
  return made;
}
