import { BodyError } from '../../request/errors/BodyError.js';
import { HttpError } from '../../request/errors/HttpError.js';
import { RequestSummary, withoutSecrets } from '../../request/RequestSummary.js';
import { discardBody } from '../../transport/discardBody.js';
import { answerBehind, type ByteSource } from './ByteSource.js';

/**
 * Makes sure that an answer, where it is known, is a stream of events: of status 200 to 299, and of that content type or none.
 *
 * @throws HttpError, BodyError
 */
export function requireEventStream(source: ByteSource): void {
  const answer = answerBehind(source);
  if (!answer) return;
  if ('ok' in answer && !answer.ok) throw new HttpError(answer, new RequestSummary('GET', answer.url, new Headers()));
  const type = answer.headers.get('content-type');
  if (type === null || /^text\/event-stream\s*(;|$)/i.test(type)) return;
  discardBody(answer);
  throw new BodyError(`The answer of ${withoutSecrets(answer.url) || 'the server'} is no event stream but ${type}; read it as what it is`);
}
