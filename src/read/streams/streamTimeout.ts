import { type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import { TimeoutError } from '../../request/errors/TimeoutError.js';
import { watchdog } from '../../time.js';

/**
 * Fails with a TimeoutError when nothing has come for `ms`, counted from the subscription and from each value.
 *
 *     source  a 1s b ----------
 *     output  a 1s b 3s #          streamTimeout(3000)
 *
 * @param ms milliseconds; `Infinity`: never
 * @param silent makes the error
 */
export function streamTimeout<T>(
  ms = Infinity,
  silent = () => new TimeoutError(`The stream was silent for ${ms} ms`, ms),
): MonoTypeOperatorFunction<T> {
  if (ms === Infinity) return (source) => source;
  return (source) =>
    new Observable((subscriber) => {
      const watch = watchdog(ms, () => {
        subscriber.error(silent());
      });
      subscriber.add(watch);
      watch.touch();
      subscriber.add(source.pipe(tap(() => watch.touch())).subscribe(subscriber));
    });
}
