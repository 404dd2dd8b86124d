/**
 * coldfetch for Angular: its client by injection, and retries for Angular's `HttpClient`. Needs `@angular/common` and `@angular/core`, 20 or later.
 *
 * @packageDocumentation
 */
export { bodyWithWaits } from './bodyWithWaits.js';
export { COLDFETCH, type ColdfetchClient } from './COLDFETCH.js';
export { type ColdfetchFeature, withClient, withLimiter, withPolicy } from './features.js';
export { provideColdfetch } from './provideColdfetch.js';
export { RETRY_POLICY } from './RETRY_POLICY.js';
export { retryAfterInterceptor } from './retryAfterInterceptor.js';
export { WAITING_REQUESTS, type WaitingRequest } from './WAITING_REQUESTS.js';
export type { WaitObserver } from './WaitObserver.js';
export { WAITS, waitsTo } from './WAITS.js';
