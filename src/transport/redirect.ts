import { NetworkError } from '../request/errors/NetworkError.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import type { Call } from './Call.js';
import type { OutgoingBody } from './outgoingBody.js';

/** Fields that a browser sends across origins unasked (Fetch standard, CORS-safelisted request-headers). */
export const SAFELISTED = /^(accept|accept-language|content-language|range)$/;

/** Redirect mode of a call: that of its init, else of its Request. */
export function redirectOf({ input, init }: Call): RequestInit['redirect'] {
  return init.redirect ?? (input instanceof Request ? input.redirect : undefined);
}

/** True if a redirect fails a call: because the call says so, or because its body can only be sent again from memory. */
export function refusesRedirects(redirect: RequestInit['redirect'], body: OutgoingBody | undefined): boolean {
  return redirect === 'error' || (body?.external === true && redirect !== 'manual');
}

/** True if a response leads elsewhere (RFC 9110 section 15.4). */
export function isRedirect({ status, headers }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.has('location');
}

/**
 * Refuses the redirect of a call that did not ask to have it: a browser hides it in an opaque response, Workers show it.
 *
 * @param refused whether a redirect fails the call
 * @throws NetworkError
 */
export function refuseRedirect(response: Response, redirect: RequestInit['redirect'], refused: boolean, request: RequestSummary): void {
  if (redirect === 'manual' || !(response.type === 'opaqueredirect' || (refused && isRedirect(response)))) return;
  const forbidden = "the call has redirect: 'error'; send it to where it leads, or leave redirect out";
  const external = 'the body is a stream or a file, which cannot be sent again; send it to where it leads, or give text or bytes';
  throw refusal(request, redirect === 'error' ? forbidden : external);
}

/** The error of a redirect that is not followed. */
export function refusal(request: RequestSummary, why: string): NetworkError {
  return new NetworkError(`${request.toString()}: redirect refused: ${why}`, 'ERR_REDIRECT_REFUSED', { request });
}

/** Header fields that may go to another origin, among the given ones. */
export function safelisted(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => SAFELISTED.test(name)));
}
