import type { DelaySource } from '../DelaySource.js';
import { parseDecimal } from '../parseDecimal.js';

/** `retry-after-ms` (OpenAI, Azure OpenAI), else `x-ms-retry-after-ms` (Azure Cosmos DB and others): milliseconds, a fraction allowed. */
export const retryAfterMs: DelaySource = (headers) =>
  parseDecimal(headers.get('retry-after-ms')) ?? parseDecimal(headers.get('x-ms-retry-after-ms'));
