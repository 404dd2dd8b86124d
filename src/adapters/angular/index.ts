/**
 * Retries for Angular's `HttpClient`. Needs `@angular/common` and `@angular/core`, 20 or later.
 *
 * @packageDocumentation
 */
export { RETRY_POLICY } from './RETRY_POLICY.js';
export { retryAfterInterceptor } from './retryAfterInterceptor.js';
