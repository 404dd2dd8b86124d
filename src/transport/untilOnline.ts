import { Observable } from 'rxjs';

/** The part of a page or worker that knows the state of the network. */
interface NetworkScope extends EventTarget {
  readonly navigator?: { readonly onLine?: boolean };
}

/** True if the browser says that it has no network. Other platforms have no such state. */
export function isOffline(): boolean {
  return (globalThis as unknown as NetworkScope).navigator?.onLine === false;
}

/** Completes when the browser is online: at once unless the browser says that it is not. Unsubscribing leaves no listener. */
export const untilOnline = new Observable<never>((subscriber) => {
  if (!isOffline()) {
    subscriber.complete();
    return undefined;
  }
  const scope = globalThis as unknown as NetworkScope;
  const complete = (): void => {
    subscriber.complete();
  };
  scope.addEventListener('online', complete);
  return () => {
    scope.removeEventListener('online', complete);
  };
});
