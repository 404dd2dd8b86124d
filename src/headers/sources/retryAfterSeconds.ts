import type { DelaySource } from '../DelaySource.js';
import { parseDelaySeconds } from '../parseDelaySeconds.js';

/** `Retry-After` in whole seconds only; a date, a fraction, a repeated field count as missing. */
export const retryAfterSeconds: DelaySource = (headers) => parseDelaySeconds(headers.get('retry-after'));
