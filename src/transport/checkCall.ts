import { UsageError } from '../request/errors/UsageError.js';
import { pageUrl } from '../request/urls.js';
import { bodyProblem } from '../request/bodyProblem.js';
import { isReadableStream } from '../request/bodyShapes.js';
import { RequestSummary } from '../request/RequestSummary.js';
import { withoutSecrets } from '../request/withoutSecrets.js';
import { isReplayableBody, isStreamBody, isUsedStream } from '../request/RequestBody.js';
import { toHeaders } from '../request/toHeaders.js';
import type { Call } from './Call.js';
import { headerProblem } from './headerProblem.js';

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN_METHOD = /^(CONNECT|TRACE|TRACK)$/;
const USER_INFO = /^[a-z][a-z\d+.-]*:\/*[^/?#]*@/i;

/**
 * The summary of a call before it is sent.
 *
 * @throws UsageError for a call that can never be sent: `fetch` would find the mistake too, in some cases only after half of the work
 */
export function checkCall({ input, init, body, signal, abort$, timeout, fetch }: Call): RequestSummary {
  const request = input instanceof Request ? input : undefined;
  const url = input instanceof Request ? input.url : String(input);
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  const place = (): string => `${method} ${withoutSecrets(url)}`;
  const fail = (problem: string, code?: string): UsageError => new UsageError(`${place()}: ${problem}`, { code });

  if (!URL.canParse(url, pageUrl()) && (fetch === undefined || !url.startsWith('/'))) {
    throw fail('not an absolute URL; give one with its scheme, or use a client with a baseUrl', 'ERR_INVALID_URL');
  }
  if (USER_INFO.test(url)) throw fail('a URL cannot carry a user name or password; send an authorization header');
  if (!TOKEN.test(method) || FORBIDDEN_METHOD.test(method)) throw fail(`${JSON.stringify(method)} is not a method that fetch can send`);
  if (!(timeout >= 0)) throw fail(`timeout is ${timeout}; give milliseconds, 0 or more, or Infinity`);
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) throw fail(`a ${method} cannot have a body; use POST, or the URL`);
  if (request?.bodyUsed === true && body === undefined)
    throw fail('the body of this Request was already sent; give a body function that makes it anew');
  const unsendable = typeof body === 'function' ? undefined : bodyProblem(body);
  if (unsendable !== undefined) throw fail(`the body is ${unsendable}`);
  const stream = isStreamBody(body) ? body.stream : body;
  if (isReadableStream(stream) && isUsedStream(stream))
    throw fail('the body is a stream that was already read or is locked; give a function that makes it anew');
  const headers = toHeaders(init.headers ?? request?.headers, place);
  const problem = headerProblem(headers);
  if (problem) throw fail(problem.message, problem.code);
  const oneShot = body === undefined ? (request?.body ?? null) !== null : !isReplayableBody(body);
  return new RequestSummary(method, url, headers, signal, abort$, !oneShot);
}
