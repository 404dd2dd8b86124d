import { type AsFetchOptions, fetchOver } from '../client/fetchOver.js';
import { createClient } from './createClient.js';

/**
 * A drop-in `fetch` like that of `coldfetch`, without a default limiter and its code: pass one as `pace` to have one.
 *
 * @example
 * const openai = new OpenAI({ maxRetries: 0, fetch: asFetch({ retry: policies.interactive }) });
 */
export function asFetch(options: AsFetchOptions = {}): typeof fetch {
  return fetchOver(options, createClient);
}
