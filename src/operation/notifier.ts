import { noop, of } from 'rxjs';
import type { RetryEvent } from '../request/HttpEvent.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';

/** Hands events to `notify`. What it throws goes to RxJS's `onUnhandledError`, as from any subscriber; the pipeline goes on. */
export function notifier(notify: RetryOptions['notify']): (event: RetryEvent) => void {
  if (!notify) return noop;
  const next =
    typeof notify === 'function'
      ? notify
      : (event: RetryEvent): void => {
          notify.next(event);
        };
  return (event) => {
    of(event).subscribe(next);
  };
}
