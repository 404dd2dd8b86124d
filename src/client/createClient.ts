import type { Limiter } from '../pace/Limiter.js';
import { pacer, type PacerOptions } from '../pace/pacer.js';
import { requireLimiter } from '../pace/queue/checkAsk.js';
import { queued } from '../pace/queue/LimiterQueue.js';
import { buildClient, type Pacing } from './buildClient.js';
import type { ClientOptions } from './ClientOptions.js';
import type { HttpClient } from './HttpClient.js';

/**
 * Makes a client from named options. It retries and paces by default.
 *
 *     interceptors -> cache -> operation (retry and pace) -> attempt interceptors -> transport
 *
 * @example
 * const http = createClient({ baseUrl: 'https://api.example.com/v2', headers: { authorization: `Bearer ${token}` } });
 * http.get<User>('users/1').subscribe((user) => show(user));
 * http.post('users', { name: 'Ada' }, { observe: 'events' }).subscribe((event) => log(event.type));
 *
 * @throws UsageError for a bad base URL, header name or policy
 */
export function createClient(options: ClientOptions = {}): HttpClient {
  return buildClient(options, pacedByDefault);
}

/** A pacer of its own for a client that names no limiter, and a queue for a limiter that brings none. */
const pacedByDefault: Pacing = (pace = {}) => {
  if (pace === false) return pace;
  if ('check' in pace) return queued(pace);
  const { limiter = defaultPacer() } = pace;
  requireLimiter('pace', limiter);
  return { ...pace, limiter: queued(limiter) };
};

/** Requests that a client sends to an origin before its first answer has come: as many as a browser does. */
const FIRST_BATCH = 6;

/** The limiter that a client has by default. */
export function defaultPacer(options: Pick<PacerOptions, 'random'> = {}): Limiter {
  return pacer({ initial: FIRST_BATCH, ...options });
}
