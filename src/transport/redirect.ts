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

/**
 * Refuses the redirect of a call that did not ask to have it, which a browser hides.
 *
 * @throws NetworkError
 */
export function refuseRedirect({ type }: Response, redirect: RequestInit['redirect'], request: RequestSummary): void {
  if (type === 'opaqueredirect' && redirect !== 'manual') throw refusal(request, 'the call follows none');
}

/** The error of a redirect that is not followed. */
export function refusal(request: RequestSummary, why: string): NetworkError {
  return new NetworkError(`${request.toString()}: redirect refused: ${why}`, 'ERR_REDIRECT_REFUSED', { request });
}

/** Header fields that may go to another origin, among the given ones. */
export function safelisted(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => SAFELISTED.test(name)));
}
