import { from, type ObservableInput, take, throwIfEmpty } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { RequestSummary } from '../request/RequestSummary.js';

/**
 * Calls a `fetch`: the platform's, looked up now, unless one is given. Emits its first response.
 *
 * @throws UsageError if it gives nothing that a Response can come from
 */
export function send(
  fetchLike: FetchLike | undefined,
  request: RequestSummary,
  ...[input, init]: Parameters<FetchLike>
): ObservableInput<Response> {
  const given = (fetchLike ?? fetch)(input, init);
  if (given instanceof Promise) return given;
  try {
    return from(given).pipe(take(1), throwIfEmpty(noResponse));
  } catch {
    throw notAResponse(given, request);
  }
}

/** Refuses a value that is no Response, by the fields that are read of it: an SDK's fetch may have a class of its own. */
export function requireResponse(response: Response, request: RequestSummary): void {
  const { status, headers } = Object(response) as { status?: unknown; headers?: { get?: unknown } | null };
  if (typeof status !== 'number' || typeof headers?.get !== 'function') throw notAResponse(response, request);
}

function noResponse(): TypeError {
  return new TypeError('network error', { cause: new Error('fetch completed without a response') });
}

function notAResponse(given: unknown, request: RequestSummary): UsageError {
  const shown = typeof given === 'object' && given !== null ? 'an object' : String(given);
  return new UsageError(`${request.toString()}: fetch gave ${shown}; give a promise or an observable of a Response`, { request });
}
