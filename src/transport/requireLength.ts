import { NetworkError } from '../request/errors/NetworkError.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import type { Hop } from './Hop.js';

/**
 * Refuses a body of another length than its `content-length` says. Node's `fetch` does too, but hangs where the body is the longer one
 * (measured on Node 20 to 26).
 *
 * @throws NetworkError with the code of undici
 */
export function requireLength(total: number | undefined, { headers }: Hop, request: RequestSummary): void {
  const claimed = headers.get('content-length');
  if (total === undefined || claimed === null || Number(claimed) === total) return;
  const problem = `the body has ${total} bytes, and its content-length says ${claimed}`;
  throw new NetworkError(`${request.toString()}: ${problem}`, 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', { request, unsent: true });
}
