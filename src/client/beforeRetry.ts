import { defaultIfEmpty, defer, isObservable, type Observable, tap } from 'rxjs';
import { type HttpRequest, isRequest } from '../request/HttpRequest.js';
import { type MaybeAsync, whenKnown } from '../request/MaybeAsync.js';
import type { Handler, Interceptor } from '../request/Handler.js';
import type { HttpEvent } from '../request/HttpEvent.js';

/**
 * Hook that runs before a request is sent again, with the failure of the attempt before. A request that it returns, at once, by a promise
 * or by an observable, is sent instead; any other value leaves the request as it is.
 */
export type BeforeRetry = (request: HttpRequest, error: unknown) => MaybeAsync<unknown>;

/** An interceptor that sends its request several times, with a hook before each send but the first. */
export function beforeRetry(hook: BeforeRetry, retrying: Interceptor): Interceptor {
  return (request, next) =>
    defer(() => {
      let failure: unknown;
      const send: Handler = (attempt) => next(attempt).pipe(tap({ error: (error: unknown) => (failure = error) }));
      const prepared = (attempt: HttpRequest): Observable<HttpEvent> => {
        const given = hook(attempt, failure);
        const settled = isObservable(given) ? given.pipe(defaultIfEmpty(undefined)) : given;
        return whenKnown(settled, 'beforeRetry', (changed) => send(isRequest(changed) ? changed : attempt));
      };
      return retrying(request, (attempt) => (attempt.attempt > 1 ? defer(() => prepared(attempt)) : send(attempt)));
    });
}
