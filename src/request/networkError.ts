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

/** Code of an error or of one of its causes: `ECONNREFUSED`, `UND_ERR_SOCKET`, ... */
export function causeCode(error: unknown): string | undefined {
  return causes(error)
    .map(({ code }) => code)
    .find((code) => typeof code === 'string');
}

/** The error of coldfetch in an error's chain of causes: that of a body function, for example, which `fetch` wraps. */
export function ownCause(error: unknown): unknown {
  return causes(error).find((each) => hasBrand(each));
}

/** True if a foreign error is that of a failed connection: by its code or that of a cause, or by the words of an engine. */
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

/** Facts about a failure of the network that its error lacks. */
export interface FailureFacts {
  /** True if a redirected request met the failure: one had been sent before. */
  readonly redirected?: boolean;
  /** Reason in words, in place of the engine's. */
  readonly detail?: string;
  /** Code for an error that has none. */
  readonly code?: string;
}

/** A failure of the network with its code. */
export function networkError(cause: unknown, request: RequestSummary, facts: FailureFacts = {}): NetworkError {
  // URLs, credentials and query included, are quoted by the messages of some engines.
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
