import { type Observable, throwError } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { openExchange } from './openExchange.js';
import { platformAnswer, type RecordedRequest, type RequestLog } from './RecordedRequest.js';
import { type ReplyValues, parseScript, type Script } from './script.js';

/** A `fetch` that answers as its script says, and records its requests. */
export interface ScriptedFetch extends RequestLog {
  (input: string | URL | Request, init?: RequestInit): Observable<Response>;
}

/**
 * A `fetch` for virtual time: it answers its requests in their order, each answer a cold observable that ends with its unsubscription or its
 * signal. It works in `marbles`, in a plain `TestScheduler.run`, and in real time.
 *
 * Each use of a {@link reply} hands out a fresh copy of it, with the URL of the request; see `requests` for what was handed out.
 *
 * @example
 * const fetch = scriptedFetch('5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200) });
 * const fetch = scriptedFetch([503, 'network', 'hang', reply(200, { json: [] })]);
 *
 * @throws UsageError through the answer, for a request that the script does not foresee
 */
export function scriptedFetch(script: Script, values?: ReplyValues): ScriptedFetch {
  const steps = parseScript(script, values);
  const requests: RecordedRequest[] = [];
  const fetch = (input: string | URL | Request, init: RequestInit = {}): Observable<Response> => {
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    // A request that was aborted before is not sent, as with `fetch`.
    if (signal?.aborted) return throwError(() => signal.reason as unknown);
    const { request, answer } = openExchange(input, init, () => undefined);
    const step = steps[requests.length];
    requests.push(request);
    if (!step) return throwError(() => unforeseen(requests, steps.length));
    return answer(step);
  };
  return Object.assign(fetch, { requests });
}

function unforeseen(requests: readonly RecordedRequest[], answers: number): UsageError {
  const asked = requests.slice(-1).map(({ method, url, at }) => `${method} ${withoutSecrets(url)} at ${at} ms`);
  const count = answers === 1 ? 'one answer' : `${answers} answers`;
  const problem = `${asked.join('')} is request ${requests.length}, but the script has ${count}: add one, or find out who asks too often`;
  const explanation = platformAnswer(requests);
  // The reason comes first, since a drawing shows the beginning of a message only.
  return new UsageError(explanation === undefined ? problem : `${explanation}. ${problem}`);
}
