import type { DelaySource } from '../DelaySource.js';
import { readNamedRetryAfter } from '../readRetryAfter.js';

/**
 * NestJS: `Retry-After-NAME` of `@nestjs/throttler`, whole seconds, one for each throttler that has a name and says no; the longest of them.
 *
 * The names are the server's own, so that headers which cannot list their fields have none.
 */
export const nestThrottler: DelaySource = (headers) => readNamedRetryAfter(headers);
