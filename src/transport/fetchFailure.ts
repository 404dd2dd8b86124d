import { isReadableStream } from '../request/bodyShapes.js';
import { failedElsewhere } from '../request/engineErrors.js';
import type { NetworkError } from '../request/errors/NetworkError.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { looksLikeNetworkFailure, networkError, ownCause } from '../request/networkError.js';
import { pageFailure } from './pageFailure.js';

/** A call of `fetch` that failed. */
export interface FailedCall {
  readonly request: RequestSummary;
  /** Arguments of `fetch`. */
  readonly input: string | URL | Request;
  readonly init: RequestInit;
  /** True if it was not the platform's `fetch`. */
  readonly custom: boolean;
  /** True if the call was a redirect that was followed. */
  readonly redirected: boolean;
}

/**
 * The failure of a `fetch`, told by its meaning:
 *
 * - an error of coldfetch, such as one that a body function threw, is that error;
 * - an error of a custom `fetch` with the code or the words of a network failure is one; its other errors pass as they are;
 * - a call of the platform's `fetch` of which no Request can be made is bad usage, any other error a failure of the network.
 */
export function fetchFailure(error: unknown, { request, input, init, custom, redirected }: FailedCall): unknown {
  const ours = ownCause(error);
  if (ours !== undefined) return ours;
  const failed = (): NetworkError =>
    networkError(error, request, {
      redirected: redirected || ((init.redirect ?? 'follow') === 'follow' && failedElsewhere(error, request.url)),
      ...(!custom && pageFailure(request.url, isReadableStream(init.body))),
    });
  if (looksLikeNetworkFailure(error)) return failed();
  const problem = isUsageProblem(error) ? error : custom ? undefined : usageProblem(input, init);
  // Messages of this kind quote the URL, credentials and query included.
  if (problem) return new UsageError(`${request.toString()}: ${problem.message.replace(/\S+:\/\/\S+/g, '(URL)')}`, { request });
  return custom ? error : failed();
}

/** True if an error has the words of an engine that could make no Request. */
function isUsageProblem(error: unknown): error is Error {
  return error instanceof Error && /^(Failed to parse URL|Invalid URL|Failed to (execute 'fetch'|construct 'Request'))/.test(error.message);
}

/** Reason why no Request can be made of a call, if none can. */
function usageProblem(input: string | URL | Request, { body, ...init }: RequestInit): Error | undefined {
  const make = (): unknown => new Request(input instanceof Request ? input.url : input, body ? { ...init, body: '' } : init);
  try {
    // The body of the call is sent by now, and so is that of a Request: the trial goes without it.
    make();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
