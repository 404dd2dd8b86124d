import { buildClient, type Pacing } from '../client/buildClient.js';
import type { ClientOptions } from '../client/ClientOptions.js';
import type { HttpClient } from '../client/HttpClient.js';
import { UsageError } from '../request/errors/UsageError.js';

/**
 * Makes a client like that of `coldfetch`, without a default limiter and its code: pass one as `pace` to have one.
 *
 * @example
 * const http = createClient({ baseUrl: 'https://api.example.com/v2' });
 * const paced = createClient({ baseUrl: 'https://api.example.com/v2', pace: pacer() });
 *
 * @throws UsageError for a bad base URL, header name or policy, and for options of a wait without a limiter
 */
export function createClient(options: ClientOptions = {}): HttpClient {
  return buildClient(options, asNamed);
}

const asNamed: Pacing = (pace = false) => {
  if (pace !== false && !('check' in pace) && pace.limiter === undefined) {
    throw new UsageError('createClient: pace has options of a wait and no limiter; give one, { limiter: pacer() } say');
  }
  return pace;
};
