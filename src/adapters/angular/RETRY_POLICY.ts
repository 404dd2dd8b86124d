import { HttpContextToken, type HttpEvent } from '@angular/common/http';
import type { RetryPolicyInput } from '../../retry/RetryPolicy.js';

/**
 * How one request is retried: another policy than the interceptor's, or what differs from `policies.standard`; `false`: no retries.
 *
 * @example
 * http.get('/report', { context: new HttpContext().set(RETRY_POLICY, policies.patient) });
 * http.post('/orders', order, { context: new HttpContext().set(RETRY_POLICY, false) });
 */
export const RETRY_POLICY = new HttpContextToken<RetryPolicyInput<HttpEvent<unknown>> | false | undefined>(() => undefined);
