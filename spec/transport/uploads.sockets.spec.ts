import { createReadStream } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import FormStream from 'form-data';
import { firstValueFrom, from, lastValueFrom, type Observable, of, tap, toArray } from 'rxjs';
import { fetch as undiciFetch, FormData as UndiciFormData } from 'undici';
import { describe, expect, it } from 'vitest';
import { type FetchLike, HttpRequest, isNetworkError, isTimeoutError, isUsageError, policies, retryAfter, retryReport } from 'coldfetch';
import { xhr } from 'coldfetch/xhr';
import { type RequestBody } from '../../src/request/RequestBody.js';
import { errorOf } from '../support/errorOf.js';
import { handClock } from '../support/handClock.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { peerOf } from '../support/settled.js';
import { transports } from '../support/transports.js';

// Sockets that are real: what they and fetch hold in their buffers is what is measured. Loopback holds some 4 MB.
const MIB = 1_048_576;
const SIZE = 12 * MIB;
const bytes = new Uint8Array(SIZE).fill(120);
const text = 'x'.repeat(SIZE);
const form = <F extends Pick<FormData, 'append'>>(made: F): F => {
  made.append('file', new Blob([bytes]));
  return made;
};
function* pieces(size: number): Generator<Uint8Array> {
  for (let at = 0; at < SIZE; at += size) yield bytes.subarray(at, at + size);
}
const stream = (size = SIZE): ReadableStream<Uint8Array> => ReadableStream.from(pieces(size));
const formStream = (): FormStream => {
  const made = new FormStream();
  made.append('file', Readable.from(pieces(MIB)), { filename: 'a.bin', knownLength: SIZE });
  return made;
};

/** Bodies of 12 MiB of every kind. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  text: () => text,
  bytes: () => bytes,
  'a buffer': () => bytes.buffer,
  'a Blob': () => new Blob([bytes]),
  'a form': () => form(new FormData()),
  'a form of undici': () => form(new UndiciFormData()),
  'a form of form-data': formStream,
  'URL parameters': () => new URLSearchParams({ text }),
  'a stream of one chunk': () => stream(),
  'a described stream': () => ({ stream: stream(MIB), length: SIZE }),
  'a stream of Node': () => Readable.from(pieces(MIB)),
  'a body function': () => () => bytes,
};

/** Options with which all bodies are sent. */
interface Sending {
  readonly timeout: number;
  readonly fetch?: FetchLike;
}

describe.each(transports)('by %s', (_, { asFetch, coldFetch, createClient }) => {
  /** Ways to send a body that take all kinds. */
  const WAYS: Readonly<Record<string, (url: string, body: unknown, sending: Sending) => Observable<unknown> | Promise<unknown>>> = {
    coldFetch: (url, body, sending) => coldFetch(url, { method: 'PUT', body: body as RequestBody, ...sending }),
    'a client': (url, body, sending) => createClient({ ...sending, retry: false }).put(url, body as object),
    asFetch: (url, body, sending) => asFetch({ ...sending, retry: false })(url, { method: 'PUT', body: body as never, duplex: 'half' }),
  };
  const REQUESTS: Readonly<Record<string, (url: string) => Request>> = {
    'a Request of bytes': (url) => new Request(url, { method: 'PUT', body: bytes }),
    'a Request of a form': (url) => new Request(url, { method: 'PUT', body: form(new FormData()) }),
    'a Request of a stream': (url) => new Request(url, { method: 'PUT', body: stream(MIB), duplex: 'half' }),
  };

  /** Sends of every kind of body, each by a way of its own turn, and of Requests by both that take them; or of the kinds that are named. */
  function sendsOf(url: string, sending: Sending, kinds?: readonly string[]): Map<string, () => Promise<unknown>> {
    const ways = Object.entries(WAYS);
    const sends = new Map<string, () => Promise<unknown>>();
    const wanted = (kind: string): boolean => kinds?.includes(kind) ?? true;
    const add = (name: string, send: () => Observable<unknown> | Promise<unknown>): void => {
      sends.set(name, async () => {
        const result = send();
        return result instanceof Promise ? result : firstValueFrom(result);
      });
    };
    for (const [index, [kind, make]] of Object.entries(BODIES).entries()) {
      const [way, send] = ways[index % ways.length] ?? ['', () => of()];
      // asFetch takes no body function, as fetch takes none.
      const [name, by] = kind === 'a body function' ? ['coldFetch', WAYS.coldFetch ?? send] : [way, send];
      if (wanted(kind)) add(`${kind} by ${name}`, () => by(url, make(), sending));
    }
    for (const [kind, make] of Object.entries(REQUESTS).filter(([kind]) => wanted(kind))) {
      add(`${kind} by coldFetch`, () => coldFetch(make(url), sending));
      add(`${kind} by asFetch`, () => asFetch({ ...sending, retry: false })(make(url)));
    }
    return sends;
  }

  const outcomeOf = (send: () => Promise<unknown>): Promise<string> =>
    send().then(
      () => 'sent',
      (error: unknown) => (isTimeoutError(error) ? 'timed out' : String(error)),
    );

  /** The outcome of each, sent one after the other. */
  async function inTurn(sends: Map<string, () => Promise<unknown>>): Promise<Record<string, string>> {
    const outcomes: Record<string, string> = {};
    for (const [name, send] of sends) outcomes[name] = await outcomeOf(send);
    return outcomes;
  }

  /** The outcome of each, sent together. */
  async function together(sends: Map<string, () => Promise<unknown>>): Promise<Record<string, string>> {
    return Object.fromEntries(await Promise.all([...sends].map(async ([name, send]) => [name, await outcomeOf(send)] as const)));
  }
  const allAre = (sends: Map<string, unknown>, outcome: string) => Object.fromEntries([...sends.keys()].map((name) => [name, outcome]));

  /** Reads a request, with a pause whenever the client has handed over another MiB to its socket. */
  async function readSlowly(request: IncomingMessage, pause: () => void): Promise<void> {
    const sender = peerOf(request.socket);
    let sent = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      if (!sender || sender.bytesWritten < sent + MIB) continue;
      sent = sender.bytesWritten;
      pause();
    }
  }

  /** A fetch that takes a body, with a pause after each MiB: it knows no more of it than the platform's. */
  const slowFetch =
    (pause: () => void): FetchLike =>
    async (input, init) => {
      const reader = (input instanceof Request ? input.body : (init.body as ReadableStream<Uint8Array>))?.getReader();
      for (let reads = 1; (await reader?.read())?.done === false; reads++) if (reads % 16 === 0) pause();
      return new Response('{}');
    };

  describe('an upload', () => {
    it('never times out while its bytes move, however it is sent', async () => {
      const clock = handClock();
      const sends = sendsOf('https://api.test/', { timeout: 1000, fetch: slowFetch(() => clock.move(900)) });
      expect(await inTurn(sends)).toEqual(allAre(sends, 'sent'));
    });

    it('never times out while its bytes move on a socket', async () => {
      const clock = handClock();
      let pauses = 0;
      const pause = (): void => {
        pauses++;
        clock.move(900);
      };
      const { url } = await loopback((request, response) => {
        const end = (): void => void response.end('{}');
        void readSlowly(request, pause).then(end, end);
      });
      const sends = sendsOf(url, { timeout: 1000 }, ['bytes', 'a form', 'a Request of bytes']);
      expect(await inTurn(sends)).toEqual(allAre(sends, 'sent'));
      expect(pauses).toBeGreaterThan(2 * sends.size);
    });

    it('times out when nobody takes its bytes, however it is sent', async () => {
      const { url } = await loopback((request) => request.pause());
      const sends = sendsOf(url, { timeout: 500 });
      expect(await together(sends)).toEqual(allAre(sends, 'timed out'));
    });

    it('does not time out in the pauses of its own source', async () => {
      const { url } = await loopback((request, response) => void bodyOf(request).then((body) => response.end(JSON.stringify(body))));
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('a');
        clock.move(400);
        yield Buffer.from('b');
      }
      const clock = handClock();
      const http = createClient({ timeout: 100, retry: false });
      expect(await firstValueFrom(http.put(url, slow()))).toBe('ab');
    });

    it('times out when no answer comes to it', async () => {
      const { url } = await loopback((request) => request.resume());
      expect(isTimeoutError(await errorOf(coldFetch(url, { method: 'PUT', body: stream(MIB), timeout: 100 })))).toBe(true);
    });

    it('tells of its bytes by 64 KiB', async () => {
      const { url } = await loopback((request, response) => {
        request.resume().on('end', () => response.end());
      });
      const http = createClient({ retry: false });
      for (const body of [text, bytes, new Blob([bytes]), stream()]) {
        const events = await lastValueFrom(http.put(url, body, { observe: 'events' }).pipe(toArray()));
        const loaded = events.flatMap((event) => (event.type === 'upload' ? [event.loaded] : []));
        expect(loaded).toEqual([...Array(SIZE / 65_536).keys()].map((n) => (n + 1) * 65_536));
      }
    });
  });

  describe('a form', () => {
    const undiciForm = (): FormData => new UndiciFormData() as Pick<FormData, 'append'> as FormData;

    it.each<[string, number, FetchLike | undefined, () => FormData]>([
      ['a small one', 15, undefined, () => new FormData()],
      ['a large one', 100_000, undefined, () => new FormData()],
      ['that of undici', 15, undefined, () => undiciForm()],
      ['that of undici by its fetch', 15, undiciFetch as unknown as FetchLike, () => undiciForm()],
      ['that of the platform by the fetch of undici', 15, undiciFetch as unknown as FetchLike, () => new FormData()],
    ])('tells of all its bytes, the framing included: %s', async (_, size, fetch, make) => {
      const { url } = await loopback((request, response) => {
        const { 'content-type': type, 'content-length': length } = request.headers;
        void bodyOf(request).then((body) => response.end(JSON.stringify({ type, length: Number(length), bytes: body.length, body })));
      });
      const body = make();
      body.append('text', 'x'.repeat(size));
      const http = createClient({ fetch, retry: false });
      const uploads: unknown[] = [];
      const events$ = http.post<{ type: string; length: number; bytes: number; body: string }>(url, body, { observe: 'events' });
      const answer = await lastValueFrom(
        events$.pipe(tap((event) => event.type === 'upload' && uploads.push([event.loaded, event.total]))),
      );
      const received = answer.type === 'response' ? answer.body : undefined;
      expect(received?.type).toMatch(/^multipart\/form-data; boundary=/);
      expect(received?.body).toContain(`name="text"\r\n\r\n${'x'.repeat(size)}\r\n`);
      expect([received?.bytes, uploads.at(-1)]).toEqual([received?.length, [received?.length, received?.length]]);
    });
  });

  /** A source that breaks off as a connection does. */
  async function* resetting(): AsyncGenerator<string> {
    yield 'abc';
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  }

  describe('the error of a body’s own source', () => {
    const failing: Readonly<Record<string, [() => unknown, string]>> = {
      'a read stream of a file that is missing': [() => createReadStream('/nowhere/a.bin'), 'ENOENT'],
      'a stream': [() => new ReadableStream({ pull: (controller) => controller.error(new Error('the disk is gone')) }), 'the disk is gone'],
      'a body function': [() => () => Promise.reject(new Error('the disk is gone')), 'the disk is gone'],
      'a body function whose error looks like the network’s': [() => () => Promise.reject(new TypeError('fetch failed')), 'fetch failed'],
      'a body function that throws such an error': [
        () => () => {
          throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        },
        'reset',
      ],
      'a stream that fails with a code of the network': [() => Readable.from(resetting()), 'reset'],
    };

    it.each(Object.entries(failing))('is that very error, once: %s', async (_, [make, message]) => {
      const { url, requests } = await loopback((request, response) => {
        request.resume().on('end', () => response.end());
      });
      const error = await errorOf(coldFetch(url, { method: 'PUT', body: make() as RequestBody }).pipe(retryAfter(policies.upload)));
      expect(String(error)).toContain(message);
      expect([isNetworkError(error), isUsageError(error)]).toEqual([false, false]);
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
      const viaClient = await errorOf(createClient().request(new HttpRequest('PUT', url, { body: make() as RequestBody })));
      expect(String(viaClient)).toContain(message);
      expect(requests.length).toBeLessThanOrEqual(2);
    });
  });

  describe('what fetch would make text of', () => {
    const made: Readonly<Record<string, () => unknown>> = {
      'a plain object': () => ({ a: 1 }),
      'an array': () => [1],
      'a Map': () => new Map([['a', 1]]),
      'an Error': () => new Error('lost'),
      'an Observable': () => of('a'),
    };
    const ways: Readonly<Record<string, (body: unknown) => unknown>> = {
      coldFetch: (body) => coldFetch(URL, { method: 'PUT', body: body as RequestBody, fetch: never }),
      'coldFetch, made': (body) => coldFetch(URL, { method: 'PUT', body: () => body as never, fetch: never }),
      'coldFetch, made later': (body) => coldFetch(URL, { method: 'PUT', body: () => Promise.resolve(body as never), fetch: never }),
      'a client, made': (body) => createClient({ fetch: never }).put(URL, () => body),
      'an HttpRequest': (body) => createClient({ fetch: never }).request(new HttpRequest('PUT', URL, { body: body as RequestBody })),
      asFetch: (body) => from(asFetch({ fetch: never })(URL, { method: 'PUT', body: body as never })),
      XMLHttpRequest: (body) => createClient({ transport: xhr() }).request(new HttpRequest('PUT', URL, { body: body as RequestBody })),
      'XMLHttpRequest, made': (body) => createClient({ transport: xhr() }).put(URL, () => body),
    };
    const URL = 'https://api.test/';
    const never: FetchLike = () => {
      throw new Error('it was sent');
    };

    it.each(Object.entries(ways))('is refused before the send, with what to send: %s', async (_, send) => {
      for (const [kind, make] of Object.entries(made)) {
        const error = await errorOf(send(make()) as Observable<unknown>);
        expect([kind, isUsageError(error)]).toEqual([kind, true]);
        expect((error as Error).message).toMatch(/(the body is|The body function gave) an? \w+, which fetch makes text of; send /);
      }
    });

    it('is left to fetch where it is a text', async () => {
      const sent: unknown[] = [];
      const fetch: FetchLike = (_, init) => {
        sent.push(init.body);
        return of(new Response());
      };
      await asFetch({ fetch })(URL, { method: 'PUT', body: 42 as never });
      expect(sent).toEqual([42]);
    });
  });

  describe('a Request', () => {
    it.each<[string, () => string | Blob | FormData]>([
      ['of text', () => 'hello'],
      ['of a large text', () => 'x'.repeat(MIB)],
      ['of a large Blob', () => new Blob([new Uint8Array(MIB)])],
      ['of a form', () => form(new FormData())],
    ])('keeps its length and its type: %s', async (_, make) => {
      const { url } = await loopback((request, response) => {
        request
          .resume()
          .on('end', () => response.end(JSON.stringify([request.headers['content-length'], request.headers['content-type']])));
      });
      const body = make();
      const seen = (response: Response): Promise<[string | undefined, string | undefined]> => response.json() as never;
      const [length, type] = await lastValueFrom(coldFetch(new Request(url, { method: 'PUT', body }), { selector: seen }));
      const [expectedLength, expectedType] = await seen(await fetch(url, { method: 'PUT', body }));
      expect([length, type?.replace(/boundary=.*/, '')]).toEqual([expectedLength, expectedType?.replace(/boundary=.*/, '')]);
    });

    it('of a stream is sent while that is still going on', async () => {
      const { url } = await loopback((request, response) => {
        request.once('data', () => response.end('early'));
      });
      const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('a')) });
      const request = new Request(url, { method: 'PUT', body: endless, duplex: 'half' });
      expect(await lastValueFrom(coldFetch(request, { timeout: 60_000, selector: (response) => response.text() }))).toBe('early');
    });

    it('is whole for a custom fetch that looks at nothing else', async () => {
      const fetch: FetchLike = async (input) => new Response(await (input as Request).text());
      const request = new Request('https://api.test/', { method: 'PUT', body: 'hello' });
      expect(await lastValueFrom(coldFetch(request, { fetch, selector: (response) => response.text() }))).toBe('hello');
    });
  });
});
