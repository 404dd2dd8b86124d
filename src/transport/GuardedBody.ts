import { noop, Subscription } from 'rxjs';
import { type Watchdog, watchdog } from '../time.js';
import type { BodyControl, ListenForBody } from './bodyControl.js';
import type { IdleTimeout } from './idleTimeout.js';
import { copyResponse } from './copyResponse.js';
import { readAll } from './readAll.js';

/** Ends of a response's body before its time, and listeners to them. */
export interface BodyGuard {
  /** Idle timeout that fails the body when a read of it has waited for too long; none by default. */
  readonly idle?: IdleTimeout | undefined;
  /** Listener for what fails the body from outside. */
  readonly listen?: ListenForBody | undefined;
  /** Receives the error with which the platform's body failed. */
  readonly broken?: (error: unknown) => void;
  /** Called when the last byte has been read. */
  readonly ended?: () => void;
  /** Ends the request after the idle timeout; by default the body is cancelled. */
  readonly abort?: (reason: unknown) => void;
}

/** The type of a source is decided when it is made. */
type Source = NonNullable<ConstructorParameters<typeof ReadableStream<Uint8Array>>[0]>;
type Body = ReadableStream<Uint8Array>;
type Controller = ReadableStreamDefaultController<Uint8Array> & Partial<Pick<ReadableByteStreamController, 'byobRequest'>>;

/** Reader of a guarded body. */
interface Consumer {
  /** Ends the reading with an error. */
  readonly fail: (reason: unknown) => void;
  /** Releases the platform's body. */
  readonly cancel: (reason: unknown) => PromiseLike<void> | void;
}

/**
 * Body of a response that ends as its guard says. It is read once: as a whole, or as a stream, which reads the body of the platform only
 * while a read of its own is pending.
 */
export class GuardedBody implements BodyControl {
  // The response is kept with its body: undici cancels the body of a Response that is garbage-collected.
  readonly #answer: { readonly response: Response; readonly body: Body };
  // All of these are released at the end: undici keeps a response until the next full garbage collection, and with it everything that its
  // body holds.
  #guard: BodyGuard | undefined;
  #watch: Watchdog | undefined;
  #listening: Subscription | undefined;
  #consumer: Consumer | undefined;
  #isRead = false;
  #copy: Response | undefined;
  #ended = false;
  /** The error that ended the body before its time. */
  #failure: { readonly reason: unknown } | undefined;

  constructor(response: Response, body: Body, guard: BodyGuard) {
    const { idle, listen } = guard;
    this.#answer = { response, body };
    this.#guard = guard;
    this.#watch =
      idle &&
      watchdog(idle.timeout, () => {
        this.#timeOut(idle.timeoutError());
      });
    if (listen) this.failBy(listen);
  }

  /** Copy of the response whose body is the guarded stream, once that has been asked for. */
  get copied(): Response | undefined {
    return this.#copy;
  }

  /** The {@link copied} response; undefined where the body is read as a whole, or was read by others. */
  copy(): Response | undefined {
    const { response } = this.#answer;
    if (!this.#copy && !this.#isTaken) this.#copy = copyResponse(response, this.#stream());
    return this.#copy;
  }

  /** Reads the body to its end; undefined where it is read already, or shown as a stream. */
  bytes(): Promise<Uint8Array> | undefined {
    if (this.#copy || this.#isTaken) return undefined;
    this.#isRead = true;
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure.reason);
        return;
      }
      this.#watch?.touch();
      const { cancel } = readAll(
        this.#answer.body,
        { maxBytes: Infinity, progress: this.#watch?.touch },
        (bytes) => {
          this.#complete();
          resolve(bytes);
        },
        (error) => {
          this.#break(error);
          reject(error);
        },
      );
      this.#consumer = { fail: reject, cancel };
    });
  }

  get #isTaken(): boolean {
    return this.#isRead || this.#answer.body.locked;
  }

  #stream(): Body {
    const { body } = this.#answer;
    // The stream is of the body's own type: chunks of a byte stream change hands, and those of another may belong to somebody.
    const type = isByteStream(body) ? 'bytes' : undefined;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const cancelBody = (reason: unknown): Promise<void> => (reader ?? body).cancel(reason);
    const pull = (controller: Controller): PromiseLike<void> => {
      reader ??= body.getReader();
      this.#watch?.touch();
      return reader.read().then(
        ({ done, value }) => {
          if (this.#ended) return undefined;
          this.#watch?.pause();
          if (done) {
            this.#complete();
            controller.close();
            controller.byobRequest?.respond(0);
            return undefined;
          }
          // A byte stream takes no empty chunk.
          if (type === 'bytes' && value.byteLength === 0) return pull(controller);
          controller.enqueue(value);
          return undefined;
        },
        (error: unknown) => {
          if (this.#ended) return;
          this.#break(error);
          controller.error(error);
        },
      );
    };
    const source = {
      type,
      start: (controller: Controller): void => {
        const fail = (reason: unknown): void => controller.error(reason);
        this.#consumer = { fail, cancel: cancelBody };
        if (this.#failure) fail(this.#failure.reason);
      },
      pull,
      cancel: (reason: unknown): PromiseLike<void> => {
        this.#end();
        return cancelBody(reason);
      },
    };
    return new ReadableStream<Uint8Array>(source as Source, { highWaterMark: 0 });
  }

  readonly takeIdleTimeout = (): IdleTimeout | undefined => {
    this.#watch?.unsubscribe();
    return this.#guard?.idle;
  };

  readonly failBy = (listen: ListenForBody): void => {
    if (this.#ended) return;
    this.#listening ??= new Subscription();
    this.#listening.add(listen(this));
  };

  #timeOut(error: unknown): void {
    const { abort } = this.#guard ?? {};
    this.fail(error);
    abort?.(error);
  }

  /** Ends it with an error before its time. */
  fail(reason: unknown): void {
    if (this.#ended) return;
    const { fail = noop, cancel = (why: unknown): PromiseLike<void> => this.#answer.body.cancel(why) } = this.#consumer ?? {};
    this.#end();
    this.#failure = { reason };
    fail(reason);
    cancel(reason)?.then(undefined, noop);
  }

  #complete(): void {
    const { ended } = this.#guard ?? {};
    this.#end();
    ended?.();
  }

  #break(error: unknown): void {
    const { broken } = this.#guard ?? {};
    this.#end();
    broken?.(error);
  }

  #end(): void {
    this.#ended = true;
    this.#watch?.unsubscribe();
    this.#listening?.unsubscribe();
    this.#guard = this.#watch = this.#listening = this.#consumer = undefined;
  }
}

function isByteStream(stream: Body): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
