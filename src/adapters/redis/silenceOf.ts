import { concat, defer, type Observable } from 'rxjs';
import { elapsed, wait } from '../../time.js';

/**
 * Completes after a silence of `ms`. A process that is too busy to hear is no proof of silence: so it
 * listens for as long again as its timer was late, at most `ms`, and in any case for one turn of the event loop.
 */
export function silenceOf(ms: number): Observable<void> {
  return defer(() => {
    const due = elapsed() + ms;
    return concat(
      wait(ms),
      defer(() => wait(Math.min(elapsed() - due, ms))),
    );
  });
}
