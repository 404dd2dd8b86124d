import { NetworkError } from '../request/errors/NetworkError.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { onNode, type OutgoingBody } from './countBody.js';

/** Fields that a browser sends across origins unasked (Fetch standard, CORS-safelisted request-headers). */
const SAFELISTED = /^(accept|accept-language|content-language|range)$/;
const MOST_HOPS = 20;

/** One hop of a request: what changes when it is redirected. */
export interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: boolean;
  readonly count: number;
}

/**
 * Whether redirects are followed here instead of in `fetch`, which forwards custom header fields and the body to another origin (measured;
 * only authorization and cookies are dropped). A browser hides redirects from scripts, so there it cannot be.
 */
export function followsRedirects(redirect: RequestInit['redirect'], body: boolean, headers: Headers): boolean {
  return onNode && (redirect ?? 'follow') === 'follow' && (body || [...headers.keys()].some((name) => !SAFELISTED.test(name)));
}

/** What `fetch` is told about redirects: files and streams go with `'error'`, since anything else holds the whole upload in memory (measured). */
export function redirectMode(
  redirect: RequestInit['redirect'],
  followed: boolean,
  body: OutgoingBody | undefined,
): RequestInit['redirect'] {
  if (body?.external === true && redirect !== 'manual') return 'error';
  return followed ? 'manual' : redirect;
}

/** Those of some header fields that may go to another origin. */
export function safelisted(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => SAFELISTED.test(name)));
}

/**
 * The next hop of a redirected request; undefined where the answer is none (RFC 9110 section 15.4). Across origins no header field but the
 * safelisted ones goes along.
 *
 * @throws NetworkError for a redirect that is refused: another scheme, too many, a body that would leave the origin or can be sent once
 */
export function nextHop(response: Response, hop: Hop, request: RequestSummary): Hop | undefined {
  const location = response.headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const refuse = (why: string): NetworkError =>
    new NetworkError(`${request.toString()}: redirect refused: ${why}`, 'ERR_REDIRECT_REFUSED', { request });
  if (!URL.canParse(location, hop.url)) throw refuse('its location is no URL');
  const target = new URL(location, hop.url);
  const origin = new URL(hop.url).origin;
  if (!/^https?:$/.test(target.protocol)) throw refuse(`to the scheme ${target.protocol}`);
  if (target.username || target.password) throw refuse('its location carries a user name or password');
  if (hop.count >= MOST_HOPS) throw refuse(`more than ${MOST_HOPS} in a row`);
  const { status } = response;
  const toGet = (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  const body = hop.body && !toGet;
  const crossing = target.origin !== origin;
  if (crossing && body) throw refuse(`the body would leave ${origin} for ${target.origin}`);
  if (body && !request.replayable) throw refuse('the body can be sent once');
  const headers = new Headers();
  (crossing ? safelisted(hop.headers) : hop.headers).forEach((value, name) => {
    if (body || !name.startsWith('content-') || !hop.body) headers.append(name, value);
  });
  if (!target.hash) target.hash = new URL(hop.url).hash;
  return { url: target.href, method: toGet ? 'GET' : hop.method, headers, body, count: hop.count + 1 };
}
