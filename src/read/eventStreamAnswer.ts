import { parseRetryAfter } from '../headers/parseRetryAfter.js';
import { serverClock } from '../headers/serverClock.js';
import { BodyError } from '../request/errors/BodyError.js';
import { HttpError, isHttpError } from '../request/errors/HttpError.js';
import { RequestSummary, withoutSecrets } from '../request/RequestSummary.js';
import { retryReport } from '../retry/retryReport.js';
import { wallClock } from '../time.js';
import { discardBody } from '../transport/discardBody.js';
import { brokeOff } from './brokeOff.js';
import { answerOf, type ByteSource } from './byteChunks.js';

/**
 * Makes sure that an answer, where it is known, is a stream of events: of status 200 to 299, and of that content type or none.
 *
 * @throws HttpError, BodyError
 */
export function requireEventStream(source: ByteSource): void {
  const answer = answerOf(source);
  if (!answer) return;
  if ('ok' in answer && !answer.ok) throw new HttpError(answer, new RequestSummary('GET', answer.url, new Headers()));
  const type = answer.headers.get('content-type');
  if (type === null || /^text\/event-stream\s*(;|$)/i.test(type)) return;
  discardBody(answer);
  throw new BodyError(`The answer of ${withoutSecrets(answer.url) || 'the server'} is no event stream but ${type}; read it as what it is`);
}

/** Whether a connection that failed may come about yet. What a retry further up has given up on is not begun again. */
export function isPassing(error: unknown): boolean {
  if (retryReport(error) !== undefined) return false;
  return brokeOff(error) || (isHttpError(error) && (error.status >= 500 || [408, 425, 429].includes(error.status)));
}

/** How long the server wants to be left alone, in ms. */
export function retryHint(error: unknown): number {
  if (!isHttpError(error)) return 0;
  return parseRetryAfter(error.headers.get('retry-after'), serverClock(error.headers, wallClock())) ?? 0;
}
