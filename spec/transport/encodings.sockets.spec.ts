import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isBodyError, isNetworkError, policies, retryAfter, retryReport, serverSentEvents } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';
import { transports, type Ways } from '../support/transports.js';

// A real transport is needed: no other decodes.
const TEXT = Buffer.from('a line of text, and another one\n'.repeat(500));
const GZIP = gzipSync(TEXT);
const fast = { ...policies.standard, rules: { transient: { ...policies.standard.rules.transient, retries: 2, backoff: () => 0 } } };

/** GZIP with one byte changed. */
function damaged(at: number): Buffer {
  const copy = Buffer.from(GZIP);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

const waysOf = ({ coldFetch, createClient }: Ways): Readonly<Record<string, (url: string) => Observable<unknown>>> => ({
  'a selector': (url) => coldFetch(url, { selector: (response) => response.text() }).pipe(retryAfter(fast)),
  'a client': (url) => createClient({ retry: fast }).get(url, { responseType: 'text' }),
});

describe.each(transports)('by %s: a body that is not what its content-encoding says', (_name, transport) => {
  it.each<[string, string, Buffer]>([
    ['text as gzip', 'gzip', TEXT],
    ['JSON as gzip', 'gzip', Buffer.from('{"a":1}')],
    ['text as deflate', 'deflate', TEXT],
    ['text as Brotli', 'br', TEXT],
    ['Brotli as gzip', 'gzip', brotliCompressSync(TEXT)],
    ['gzip as Brotli', 'br', GZIP],
    ['gzip once that is said to be so twice', 'gzip, gzip', GZIP],
  ])('ends the operation at once, and is told as that: %s', async (_, encoding, body) => {
    const { url, requests } = await loopback((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    for (const [way, send] of Object.entries(waysOf(transport))) {
      const error = await errorOf(send(url));
      expect([way, isBodyError(error), String(error)]).toEqual([
        way,
        true,
        expect.stringContaining(`GET ${url}/: the body is not ${encoding}, as its content-encoding says: `),
      ]);
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
    }
    expect(requests).toHaveLength(2);
  });

  it('ends a stream that would go on from where it was', async () => {
    const { url, requests } = await loopback((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end('data: 1\n\n'),
    );
    const http = transport.createClient();
    const error = await errorOf(
      serverSentEvents((headers) => http.get(url, { headers, responseType: 'stream' }), { reconnect: 'always', reconnectAfter: 0 }),
    );
    expect([error instanceof Error, requests.length]).toEqual([true, 1]);
  });
});

describe.each(transports)('by %s: a body that was cut or changed on the way', (_name, transport) => {
  it.each<[string, Record<string, string | number>, Buffer]>([
    ['gzip that breaks off', { 'content-encoding': 'gzip', 'content-length': GZIP.length }, GZIP.subarray(0, -30)],
    ['gzip whose checksum is not its own', { 'content-encoding': 'gzip' }, damaged(GZIP.length - 6)],
    [
      'deflate whose checksum is not its own',
      { 'content-encoding': 'deflate' },
      Buffer.concat([deflateSync(TEXT).subarray(0, -1), Buffer.of(0)]),
    ],
  ])('is asked for again: %s', async (_, headers, body) => {
    const whole = GZIP;
    const { url, requests } = await loopback((_, response) => {
      if (requests.length % 2 === 0) response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole);
      else response.writeHead(200, headers).write(body, () => ('content-length' in headers ? response.destroy() : response.end()));
    });
    for (const [way, send] of Object.entries(waysOf(transport))) {
      expect([way, await lastValueFrom(send(url).pipe(toArray()))]).toEqual([way, [TEXT.toString()]]);
    }
  });

  it('is a failure of the network when there is no more of it', async () => {
    const { url } = await loopback((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(damaged(GZIP.length - 6)));
    const error = await errorOf(transport.createClient({ retry: false }).get(url, { responseType: 'text' }));
    expect([isNetworkError(error), (error as { code?: string }).code]).toEqual([true, 'Z_DATA_ERROR']);
  });
});
