import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/createClient.js';
import { httpCache } from '../../src/read/cache/httpCache.js';
import { jsonLines } from '../../src/read/streams/jsonLines.js';
import { linkPages } from '../../src/read/pages/linkPages.js';
import { serverSentEvents } from '../../src/read/streams/serverSentEvents.js';
import { coldFetch } from '../../src/transport/coldFetch.js';

describe('reading over real sockets', () => {
  const servers: Server[] = [];
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('a client with a cache validates by ETag, gets no body with a 304, and reads anew after a write', async () => {
    let version = 1;
    const seen: string[] = [];
    const base = await serve((request, response) => {
      const tag = `"${version}"`;
      const match = request.headers['if-none-match'];
      seen.push(`${request.method} ${match ?? '-'}`);
      if (request.method === 'POST') version++;
      if (match === tag) response.writeHead(304, { etag: tag }).end();
      else
        response
          .writeHead(200, { etag: tag, 'cache-control': 'no-cache', 'content-type': 'application/json' })
          .end(`{"version":${version}}`);
    });
    const http = createClient({ baseUrl: base, cache: httpCache(), retry: false });
    const read = () => firstValueFrom(http.get<{ version: number }>('rows', { observe: 'response' }));
    expect(await read()).toMatchObject({ status: 200, body: { version: 1 }, cacheStatus: 'coldfetch; fwd=uri-miss; stored' });
    expect(await read()).toMatchObject({ status: 200, body: { version: 1 }, cacheStatus: 'coldfetch; fwd=stale; fwd-status=304; stored' });
    await lastValueFrom(http.post('rows', {}));
    expect(await read()).toMatchObject({ body: { version: 2 }, cacheStatus: 'coldfetch; fwd=uri-miss; stored' });
    expect(seen).toEqual(['GET -', 'GET "1"', 'POST -', 'GET -']);
  });

  it('one hundred readers of one thing make one request', async () => {
    let requests = 0;
    const base = await serve((_, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' }).end('[1]');
    });
    const http = createClient({ baseUrl: base, cache: httpCache() });
    const all = await Promise.all(Array.from({ length: 100 }, () => lastValueFrom(http.get('rows'))));
    expect(all).toEqual(Array.from({ length: 100 }, () => [1]));
    expect(requests).toBe(1);
  });

  it('a link that leaves the origin is followed without the client’s credentials', async () => {
    const authorizations: (string | undefined)[] = [];
    const page =
      (link: string | undefined): RequestListener =>
      (request, response) => {
        authorizations.push(request.headers.authorization);
        response
          .writeHead(200, { 'content-type': 'application/json', ...(link !== undefined && { link: `<${link}>; rel="next"` }) })
          .end('[1]');
      };
    const other = await serve(page(undefined));
    const base = await serve(page(`${other}/rows`));
    // A client's header fields go to every origin if it has no base URL, but not along a link.
    const http = createClient({ headers: { authorization: 'Bearer secret' } });
    expect(await lastValueFrom(linkPages<number>(http, `${base}/rows`, { crossOrigin: 'allow' }).pipe(toArray()))).toEqual([1, 1]);
    expect(authorizations).toEqual(['Bearer secret', undefined]);
  });

  describe.each(['selector', 'stream', 'events'])('leaving a stream that was read as %s', (kind) => {
    it('is seen by the server, which would never end it', async () => {
      let isClosed = false;
      const base = await serve((request: IncomingMessage, response) => {
        request.socket.once('close', () => (isClosed = true));
        response.writeHead(200, { 'content-type': kind === 'events' ? 'text/event-stream' : 'application/x-ndjson' });
        response.write(kind === 'events' ? 'data: 1\n\n' : '1\n');
      });
      const values$ =
        kind === 'selector'
          ? coldFetch(base, { selector: jsonLines() })
          : kind === 'stream'
            ? createClient()
                .get(base, { responseType: 'stream' })
                .pipe(mergeMap((stream) => jsonLines()(stream ?? new Response(null))))
            : serverSentEvents((headers) => coldFetch(base, { headers }));
      await firstValueFrom(values$);
      await expect.poll(() => isClosed).toBe(true);
    });
  });
});
