import { HttpContextToken, type HttpEvent } from '@angular/common/http';
import type { RetryAfterInput } from '../../operation/retryWith.js';

/**
 * Policy of one request in place of the interceptor's, or the fields that differ from `policies.standard`; a number of retries; `false`:
 * none.
 *
 * @example
 * http.get('/report', { context: new HttpContext().set(RETRY_POLICY, policies.patient) });
 * http.post('/orders', order, { context: new HttpContext().set(RETRY_POLICY, false) });
 */
export const RETRY_POLICY = new HttpContextToken<RetryAfterInput<HttpEvent<unknown>> | number | false | undefined>(() => undefined);
