import {
  hasNetworkMessage,
  isFinal,
  isNetworkCode,
  isRefusedRedirect,
  isUnconnected,
  isUndecodable,
  isUnsendable,
  unsaidReason,
} from './engineErrors.js';
import { causes } from './errors/causes.js';
import { hasBrand } from './errors/ColdfetchError.js';
import { NetworkError } from './errors/NetworkError.js';
import type { RequestSummary } from './RequestSummary.js';
import { withoutSecrets } from './withoutSecrets.js';

/** The code of an error or of what led to it: `ECONNREFUSED`, `UND_ERR_SOCKET`, ... */
export function causeCode(error: unknown): string | undefined {
  return causes(error)
    .map(({ code }) => code)
    .find((code) => typeof code === 'string');
}

/** The error of ours that an error is or was made of: that of a body function say, which `fetch` wraps. */
export function ownCause(error: unknown): unknown {
  return causes(error).find((each) => hasBrand(each));
}

/** True if a foreign error is that of a failed connection: by the code of it or of its cause, or by the words of an engine. */
export function looksLikeNetworkFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || hasBrand(error)) return false;
  return hasNetworkMessage(error) || isNetworkCode(causeCode(error) ?? '');
}

/** True if trying again cannot mend a network failure. */
export function isTerminalFailure(error: unknown): boolean {
  return [isUnsendable, isRefusedRedirect, isUndecodable, isFinal].some((is) => is(error)) || unsaidReason(error) !== undefined;
}

/** Message of the innermost cause of an error. */
export function messageOf(error: unknown): string {
  const inner = causes(error).at(-1);
  return (
    [unsaidReason(error), inner?.message, inner?.code].find((text): text is string => typeof text === 'string' && text !== '') ??
    String(error)
  );
}

/** Facts about a failure of the network that its error does not tell. */
export interface FailureFacts {
  /** True if it met a request that had been sent before, to where it was redirected from. */
  readonly redirected?: boolean;
  /** Its reason in words, in place of the engine's. */
  readonly detail?: string;
  /** Its code, where the error has none. */
  readonly code?: string;
}

/** A failure of the network with its code. */
export function networkError(cause: unknown, request: RequestSummary, facts: FailureFacts = {}): NetworkError {
  // Some engines quote the URL, credentials and query included.
  const shown =
    facts.detail ??
    messageOf(cause)
      .trim()
      .replace(/\w+:\/\/[^\s)"']+/g, withoutSecrets);
  const code = isRefusedRedirect(cause) ? 'ERR_REDIRECT_REFUSED' : (causeCode(cause) ?? facts.code);
  const problem = code === undefined || shown.includes(code) ? shown : `${shown} (${code})`;
  return new NetworkError(`${request.toString()}: ${problem}`, code, {
    cause,
    request,
    unsent: facts.redirected !== true && ([cause, facts].some(isUnsendable) || isUnconnected(cause)),
  });
}
