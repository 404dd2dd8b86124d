import { UsageError } from '../request/errors/UsageError.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { RequestSummary } from '../request/RequestSummary.js';

/** The error of an option of `fetch` that another transport cannot obey: it would send something else than was asked for. */
export function optionBeyond({ method, url, headers }: HttpRequest, name: string, value: unknown, transport: string): UsageError {
  const request = new RequestSummary(method, url, headers);
  const problem = `fetchOptions: { ${name}: ${String(value)} } is beyond ${transport}; send this by a client without transport`;
  return new UsageError(`${request.toString()}: ${problem}`, { request });
}
