import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { EARLY } from '../support/early.js';
import { bodyOf, loopback } from '../support/loopback.js';

/** JSON of the answers at {@link Throttled.url}. */
export interface Report {
  readonly name: string;
}

/** Request that came to a {@link Throttled} server. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Server that turns the first request away. */
export interface Throttled {
  /** Origin of the server. */
  readonly origin: string;
  /** URL of a {@link Report}. Every other path is answered with one, too. */
  readonly url: string;
  /** Requests so far. */
  readonly requests: readonly Received[];
  /** Statuses answered so far. */
  readonly statuses: () => readonly number[];
}

/**
 * Server with one request a window of `seconds`. The first window is used up, and starts at the first request, however long a client takes to
 * set itself up: that request gets a 429 with a `Retry-After`, and so does each one until the window is over. The next one gets a 200, which
 * uses up a window of its own.
 */
export async function throttled(seconds: number): Promise<Throttled> {
  const requests: Received[] = [];
  const statuses: number[] = [];
  let windowEnd: number | undefined;
  const answer = (response: ServerResponse): void => {
    const now = performance.now();
    const isOver = windowEnd !== undefined && now >= windowEnd - EARLY;
    if (isOver || windowEnd === undefined) windowEnd = now + seconds * 1000;
    const left = Math.ceil((windowEnd - now) / 1000);
    statuses.push(isOver ? 200 : 429);
    response.setHeader('ratelimit-policy', `"one";q=1;w=${seconds}`).setHeader('ratelimit', `"one";r=0;t=${left}`);
    if (isOver) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: 'report' }));
    else response.writeHead(429, { 'retry-after': String(left) }).end('Too many requests');
  };
  const { url: origin } = await loopback((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ headers: request.headers, body });
      answer(response);
    });
  });
  return { origin, url: `${origin}/report`, requests, statuses: () => [...statuses] };
}
