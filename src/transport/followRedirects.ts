import type { NetworkError } from '../request/errors/NetworkError.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import type { Hop } from './Hop.js';
import type { OutgoingBody } from './outgoingBody.js';
import { refusesRedirects as fetchRefuses, seesRedirects } from './platform.js';
import { isRedirect, refusal, refusesRedirects, SAFELISTED, safelisted } from './redirect.js';

/** Most redirects of one request. */
const MOST_HOPS = 20;

/**
 * True if redirects are followed here instead of in `fetch`, which forwards custom header fields and the body to another origin (measured;
 * only authorization and cookies are dropped), and does not distinguish a request that was sent and redirected from one that never left. A
 * browser hides redirects from scripts, so they cannot be followed here.
 *
 * @param byFetch whether it is sent by `fetch`; nothing else follows redirects by itself
 */
export function followsRedirects(redirect: RequestInit['redirect'], { method, body, headers }: Hop, byFetch: boolean): boolean {
  if (!seesRedirects || (redirect ?? 'follow') !== 'follow') return false;
  return !byFetch || body || !/^(GET|HEAD)$/.test(method) || [...headers.keys()].some((name) => !SAFELISTED.test(name));
}

/**
 * Redirect mode for `fetch`: files and streams go with `'error'`, since any other mode holds the whole upload in memory (measured). A
 * browser reports a redirect that it refuses like any failure, and Workers have no mode `'error'`, so there the response is taken and
 * refused here ({@link refuseRedirect}).
 */
export function redirectMode(
  redirect: RequestInit['redirect'],
  followed: boolean,
  body: OutgoingBody | undefined,
): RequestInit['redirect'] {
  if (refusesRedirects(redirect, body)) return fetchRefuses ? 'error' : 'manual';
  return followed ? 'manual' : redirect;
}

/**
 * The next hop of a redirected request; undefined for a response that is no redirect (RFC 9110 section 15.4). Only safelisted header fields
 * go along across origins.
 *
 * @throws NetworkError for a redirect that is refused: another scheme, too many, a body that would leave the origin or can be sent once
 */
export function nextHop(response: Response, hop: Hop, request: RequestSummary): Hop | undefined {
  if (!isRedirect(response)) return undefined;
  const refuse = (why: string): NetworkError => refusal(request, why);
  const address = fromBytes(response.headers.get('location') ?? '');
  if (!URL.canParse(address, hop.url)) throw refuse('its location is not a URL');
  const target = new URL(address, hop.url);
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

/** Marks a response that came by a redirect of which `fetch` knows nothing. */
export function markRedirected(response: Response): Response {
  if (!Object.isExtensible(response)) return response;
  const clone = (): Response => markRedirected(Response.prototype.clone.call(response));
  return Object.defineProperties(response, {
    redirected: { value: true, configurable: true },
    clone: { value: clone, configurable: true },
  });
}

/** Text of a header field, which arrives with one character for each byte, read as UTF-8 if it is valid UTF-8. */
function fromBytes(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
