import { createClient } from './createClient.js';
import { type AsFetchOptions, fetchOver } from './fetchOver.js';

/**
 * A drop-in `fetch` with the whole pipeline behind it, for any SDK that takes a custom one. Switch the SDK's own retries off: one layer
 * retries.
 *
 * When retries run out the promise resolves with the server's last response, whatever its status (`retryReport(response)` gives the
 * reason). It rejects as `fetch` does: with the signal's own reason, or with a TypeError whose `cause` has the code of a network failure
 * (`isNetworkError` and `isUsageError` accept it); beside these, with a `TimeoutError` or `DeadlineError`. A Request's body is kept in
 * memory, once, so that it can be sent again. The signal and the timeout reach the response's body until that has ended, and leave no
 * listener.
 *
 * @example
 * const octokit = new Octokit({ request: { fetch: asFetch({ retry: policies.api }) } });
 */
export function asFetch(options: AsFetchOptions = {}): typeof fetch {
  return fetchOver(options, createClient);
}
