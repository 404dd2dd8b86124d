import { HttpContextToken } from '../request/HttpContext.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';

/** Another policy for one request than the client's, or the fields that differ from `policies.standard`; a number of retries; `false`: none. */
export const RETRY = /* @__PURE__ */ new HttpContextToken<RetryOptions | number | false | undefined>('retry', () => undefined);
