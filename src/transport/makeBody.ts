import { catchError, from, isObservable, mergeMap, type Observable, of, throwError } from 'rxjs';
import { bodyProblem } from '../request/bodyProblem.js';
import { ofCaller } from '../request/errors/causes.js';
import { UsageError } from '../request/errors/UsageError.js';
import { isThenable } from '../request/guards.js';
import type { Body } from '../request/RequestBody.js';
import type { Call } from './Call.js';
import { type MadeBody, takeOut, withLength } from './platformBody.js';

/**
 * Makes the body of one attempt: by the body function, or from a Request, whose bytes can only be counted when they are taken out of it. A
 * body that is undefined, or cannot be taken out, is left to `fetch`. Errors, thrown or emitted, are marked as the caller's own.
 *
 * @throws UsageError for a body function that gave what `fetch` would make text of
 */
export function makeBody(call: Pick<Call, 'input' | 'body'>, controller: Pick<AbortController, 'signal'>): MadeBody {
  try {
    const made = make(call, controller);
    return isObservable(made) ? made.pipe(catchError((error: unknown) => throwError(() => ofCaller(error)))) : made;
  } catch (error) {
    throw ofCaller(error);
  }
}

function make({ input, body }: Pick<Call, 'input' | 'body'>, controller: Pick<AbortController, 'signal'>): MadeBody {
  if (typeof body === 'function') {
    const made = body({
      get signal() {
        return controller.signal;
      },
    });
    if (!isThenable(made)) return withLength(requireBody(made));
    return from(made).pipe(mergeMap((later) => toObservable(withLength(requireBody(later)))));
  }
  if (body !== undefined) return withLength(body);
  return input instanceof Request ? takeOut(input) : undefined;
}

function requireBody(body: Body): Body {
  const problem = bodyProblem(body);
  if (problem !== undefined) throw new UsageError(`The body function gave ${problem}`);
  return body;
}

/** A made body as an observable. */
export function toObservable(body: MadeBody): Observable<Body | undefined> {
  return isObservable(body) ? body : of(body);
}
