import { filter, map, type OperatorFunction } from 'rxjs';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import { tapWaits, type WaitObserver } from './WaitObserver.js';

/**
 * Body of a request of coldfetch's client, with its waits passed to an observer on the way.
 *
 * @example
 * readonly wait = signal<WaitEvent | undefined>(undefined);
 * readonly user = rxResource({
 *   stream: () => this.http.get<User>('users/1', { observe: 'events' }).pipe(bodyWithWaits(this.wait)),
 * });
 *
 * @param observer a writable signal, an observer or a function; it receives `undefined` when a wait is over
 */
export function bodyWithWaits<T>(observer: WaitObserver): OperatorFunction<HttpEvent<T>, T> {
  return (events$) =>
    events$.pipe(
      tapWaits(observer),
      filter((event): event is ResponseEvent<T> => event.type === 'response'),
      map(({ body }) => body),
    );
}
