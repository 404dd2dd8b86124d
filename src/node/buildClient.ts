import type { ClientOptions } from '../client/ClientOptions.js';
import { createClient } from '../client/createClient.js';
import { joinHeaders } from '../client/headerFields.js';
import type { HttpClient } from '../client/HttpClient.js';
import { UsageError } from '../request/errors/UsageError.js';
import { pacer } from '../pace/pacer.js';
import { uploadPolicy } from './uploadPolicy.js';

/** The real service. */
export const BUILD_API = 'https://api.argos-ci.com/v2/';

/** Header fields by which the API knows an operation (one id for all of its attempts) and counts attempts. */
export const REQUEST_ID_HEADER = 'x-argos-request-id';
export const ATTEMPT_HEADER = 'x-argos-retry-attempt';

/** Options of {@link buildClient}: those of `createClient`, and the token. */
export interface BuildClientOptions extends ClientOptions {
  /** The project's token. It is sent to the API's origin only, and shown nowhere. */
  readonly token: string;
}

/**
 * A client of the screenshot build API: its base URL (the real service's by default), its token, its request-id and attempt headers, and
 * {@link uploadPolicy}. Its pacer sends one request first, since the shards of a job share one quota. Nothing but a deadline bounds the waits there,
 * unless `pace: { maxWait }` does: a build is better late than lost.
 *
 * @throws UsageError for a token or URL that cannot be sent
 *
 * @example
 * const http = buildClient({ token: process.env.ARGOS_TOKEN ?? '' });
 * uploadBuild(http, screenshots('shots'), { commit, branch }).subscribe((event) => console.log(event.type));
 */
export function buildClient(given: BuildClientOptions): HttpClient {
  const { token, headers, ...options } = (given as BuildClientOptions | undefined) ?? ({} as Partial<BuildClientOptions>);
  if (typeof token !== 'string')
    throw new UsageError("buildClient: there is no token; give { token }, a string from the project's settings");
  // Tokens are never shown: not even a wrong one.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      `The token is ${token === '' ? 'empty' : 'malformed: it holds blanks or characters beyond ASCII'}; copy it from the project's settings`,
    );
  }
  return createClient({
    baseUrl: BUILD_API,
    requestIdHeader: REQUEST_ID_HEADER,
    attemptHeader: ATTEMPT_HEADER,
    retry: uploadPolicy,
    ...options,
    pace: buildPace(options.pace),
    headers: joinHeaders(headers, { authorization: `Bearer ${token}` }),
  });
}

/** Pacing of a build's requests: the first goes alone, as the shards of a fleet share one quota, and no wait is too long. */
function buildPace(given: ClientOptions['pace'] = {}): ClientOptions['pace'] {
  if (given === false) return false;
  if ('check' in given) return { limiter: given, maxWait: Infinity };
  return { limiter: pacer(), maxWait: Infinity, ...given };
}
