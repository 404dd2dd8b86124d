import { Observable } from 'rxjs';
import { wait } from '../time.js';
import { isEnd, type Marble, parseMarbles } from './parseMarbles.js';

/**
 * A cold observable that plays a diagram by the clock of `coldfetch`: virtual inside `TestScheduler.run`, real outside, with nothing passed
 * in. Marbles of moment 0 are played during the subscription. A diagram without `|` or `#` never ends.
 *
 * @param value what a letter stands for
 * @param error what `#` stands for
 */
export function playMarbles<T>(diagram: string, value: (key: string) => T, error: unknown): Observable<T> {
  const moments = new Map<number, Marble[]>();
  for (const marble of parseMarbles(diagram)) {
    moments.set(marble.frame, [...(moments.get(marble.frame) ?? []), marble]);
  }
  return new Observable((subscriber) => {
    const play = (marbles: readonly Marble[]): void => {
      for (const { key } of marbles) {
        if (!isEnd(key)) subscriber.next(value(key));
        else if (key === '|') subscriber.complete();
        else subscriber.error(error);
      }
    };
    for (const [frame, marbles] of moments) {
      if (frame === 0) play(marbles);
      else subscriber.add(wait(frame).subscribe(() => play(marbles)));
    }
  });
}

/** The value of a letter: itself where no values are given. A letter that the values lack is an error, not `undefined`. */
export function valueOf<T>(values: Readonly<Record<string, T>> | undefined, key: string, missing: (key: string) => Error): T | string {
  if (values === undefined) return key;
  if (!Object.hasOwn(values, key)) throw missing(key);
  return values[key] as T;
}
