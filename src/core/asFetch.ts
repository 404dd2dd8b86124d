import { type AsFetchOptions, fetchOver } from '../client/fetchOver.js';
import { createClient } from './createClient.js';

/**
 * A drop-in `fetch` as that of `coldfetch`, but for the limiter: it has none unless one is named, and none of the code of one.
 *
 * @example
 * const openai = new OpenAI({ maxRetries: 0, fetch: asFetch({ retry: policies.interactive }) });
 */
export function asFetch(options: AsFetchOptions = {}): typeof fetch {
  return fetchOver(options, createClient);
}
