import { Observable } from 'rxjs';
import type { HttpEvent } from '../request/HttpEvent.js';
import { withErrorBody } from './errorBody.js';
import type { AnyRequestOptions } from './HttpClient.js';

/**
 * Values of a request's events as its caller observes them: the body, the response, or all events. A final HttpError gets its body.
 *
 * One subscriber does it all: operators for these steps cost a request more than the steps do (measured).
 *
 * @param start makes the events, for each subscription; what it throws is the observable's error
 */
export function observeAs(observe: AnyRequestOptions['observe'], start: () => Observable<HttpEvent>): Observable<unknown> {
  return new Observable((subscriber) => {
    const fail = (error: unknown): void => {
      subscriber.add(withErrorBody(error).subscribe(subscriber));
    };
    let events$: Observable<HttpEvent>;
    try {
      events$ = start();
    } catch (error) {
      fail(error);
      return;
    }
    const events = events$.subscribe({
      next: (event) => {
        if (observe === 'events') subscriber.next(event);
        else if (event.type === 'response') subscriber.next(observe === 'response' ? event : event.body);
      },
      error: fail,
      complete: () => subscriber.complete(),
    });
    subscriber.add(events);
  });
}
