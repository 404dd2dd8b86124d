import { isThenable } from '../../request/guards.js';

/** Promise of a body in virtual time: it settles at once, not in a microtask, so that `from(...)` sees it at the right moment. */
export class SyncPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'SyncPromise';
  #state: 'pending' | 'fulfilled' | 'rejected' = 'pending';
  #locked = false;
  #result: unknown;
  #reactions: (() => void)[] = [];

  constructor(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason: unknown) => void) => void) {
    const once =
      <A>(settle: (argument: A) => void) =>
      (argument: A): void => {
        if (this.#locked) return;
        this.#locked = true;
        settle(argument);
      };
    const reject = once((reason: unknown) => this.#settle('rejected', reason));
    try {
      executor(
        once((value: T | PromiseLike<T>) => this.#follow(value)),
        reject,
      );
    } catch (reason) {
      reject(reason);
    }
  }

  /** A promise that has its value. */
  static resolve<T>(value: T | PromiseLike<T>): SyncPromise<T> {
    return new SyncPromise((resolve) => resolve(value));
  }

  /** A promise that has failed. */
  static reject<T = never>(reason: unknown): SyncPromise<T> {
    return new SyncPromise((_, reject) => reject(reason));
  }

  then<R1 = T, R2 = never>(
    onfulfilled?: ((value: T) => R1 | PromiseLike<R1>) | null,
    onrejected?: ((reason: unknown) => R2 | PromiseLike<R2>) | null,
  ): SyncPromise<R1 | R2> {
    return new SyncPromise<R1 | R2>((resolve, reject) => {
      this.#react(() => {
        try {
          if (this.#state === 'fulfilled') {
            // A missing callback passes the value or the error on.
            resolve(onfulfilled ? onfulfilled(this.#result as T) : (this.#result as R1));
          } else if (onrejected) {
            resolve(onrejected(this.#result));
          } else {
            reject(this.#result);
          }
        } catch (reason) {
          reject(reason);
        }
      });
    });
  }

  catch<R = never>(onrejected?: ((reason: unknown) => R | PromiseLike<R>) | null): SyncPromise<T | R> {
    return this.then(undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): SyncPromise<T> {
    return this.then(
      (value) => SyncPromise.resolve(onfinally?.()).then(() => value),
      (reason: unknown) => SyncPromise.resolve(onfinally?.()).then(() => SyncPromise.reject<T>(reason)),
    );
  }

  #follow(value: T | PromiseLike<T>): void {
    if (!isThenable(value)) {
      this.#settle('fulfilled', value);
      return;
    }
    try {
      value.then(
        (inner) => this.#follow(inner),
        (reason: unknown) => this.#settle('rejected', reason),
      );
    } catch (reason) {
      this.#settle('rejected', reason);
    }
  }

  #settle(state: 'fulfilled' | 'rejected', result: unknown): void {
    if (this.#state !== 'pending') return;
    this.#state = state;
    this.#result = result;
    for (const reaction of this.#reactions.splice(0)) reaction();
  }

  #react(reaction: () => void): void {
    if (this.#state === 'pending') this.#reactions.push(reaction);
    else reaction();
  }
}

/** Bytes in an `ArrayBuffer` of their own: `Uint8Array<ArrayBuffer>`, in a form that TypeScript before 5.7 reads, too. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;
