import { Observable, type Subscriber } from 'rxjs';
import { wait } from '../../time.js';
import { parseMarbles } from './parseMarbles.js';

/**
 * A cold observable that plays a diagram by the clock of `coldfetch`: virtual inside `TestScheduler.run`, real outside, without any
 * argument. Marbles of moment 0 are played during the subscription. A diagram without `|` or `#` never ends.
 *
 * @param value values of the letters
 * @param error error of `#`
 */
export function playMarbles<T>(diagram: string, value: (key: string) => T, error: unknown): Observable<T> {
  const moments = new Map<number, ((subscriber: Subscriber<T>) => void)[]>();
  for (const { frame, key } of parseMarbles(diagram)) {
    moments.set(frame, [...(moments.get(frame) ?? []), notify(key, value, error)]);
  }
  return new Observable((subscriber) => {
    for (const [frame, notifications] of moments) {
      const play = (): void => {
        for (const notification of notifications) notification(subscriber);
      };
      if (frame === 0) play();
      else subscriber.add(wait(frame).subscribe(play));
    }
  });
}

function notify<T>(key: string, value: (key: string) => T, error: unknown): (subscriber: Subscriber<T>) => void {
  if (key === '|') return (subscriber) => subscriber.complete();
  if (key === '#') return (subscriber) => subscriber.error(error);
  const next = value(key);
  return (subscriber) => subscriber.next(next);
}

/** The value of a letter: the letter itself where no values are given. A letter that the values lack is an error, not `undefined`. */
export function valueOf<T>(values: Readonly<Record<string, T>> | undefined, key: string, missing: (key: string) => Error): T | string {
  if (values === undefined) return key;
  if (!Object.hasOwn(values, key)) throw missing(key);
  return values[key] as T;
}
