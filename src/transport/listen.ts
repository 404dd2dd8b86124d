import { from, type ObservableInput, type Observer, type Subscriber } from 'rxjs';

/**
 * Subscribes an observer to an input for as long as its owner is not closed. A promise is observed by its own callbacks: a subscription for
 * each promise of a request costs as much as all other work of RxJS for it (measured).
 */
export function listen<T>(input: ObservableInput<T>, observer: Observer<T>, owner: Subscriber<unknown>): void {
  if (!(input instanceof Promise)) {
    owner.add(from(input).subscribe(observer));
    return;
  }
  input.then(
    (value: T) => {
      if (owner.closed) return;
      observer.next(value);
      observer.complete();
    },
    (error: unknown) => {
      if (!owner.closed) observer.error(error);
    },
  );
}
