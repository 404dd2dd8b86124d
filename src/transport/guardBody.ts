import { Subscription } from 'rxjs';
import { type Watchdog, watchdog } from '../time.js';
import { type BodyControl, type IdleTimeout, offerControl } from './bodyControl.js';
import { fromSignal } from './stopOn.js';

/** Ends of an answer's body before its time, and who hears of them. */
export interface BodyGuard {
  /** Fails the body when a read of it has waited for so long; none unless given. */
  readonly idle?: IdleTimeout | undefined;
  /** Fails the body with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of the error that the platform's body failed with. */
  readonly broken?: (error: unknown) => void;
  /** Ends the request after the idle timeout; by default the body is cancelled. */
  readonly abort?: (reason: unknown) => void;
}

/** Statuses whose Responses cannot be made with a body (Fetch standard, null body status). */
const BODILESS = [101, 103, 204, 205, 304];

/** Ends the listening for a body that nobody holds any more. */
const forgotten = new FinalizationRegistry<Subscription>((listening) => {
  listening.unsubscribe();
});

/**
 * An answer of the same status, header fields, URL and bytes, whose body ends as the guard says, however it is read: by its methods, by those
 * of a clone, as a stream, in another Response. It is a Response of the platform, and so behaves as one.
 *
 * The idle timeout runs only while a read is pending: the pauses of a slow reader are no silence of the server. When the body has ended, was
 * cancelled, or is dropped unread, neither a timer nor a listener is left.
 *
 * An answer without a body is handed on as it is. So is what stands in for one, but the reads of a virtual body are watched in place: they
 * settle in virtual time, which streams do not.
 */
export function guardBody(response: Response, guard: BodyGuard): Response {
  const { body, status } = response;
  if (!body || response.bodyUsed || BODILESS.includes(status)) return response;
  // A caller with a signal is no longer in virtual time, and gets a stream.
  if (!(body instanceof ReadableStream) && !guard.signal) {
    watchReads(response, body, guard);
    return response;
  }
  const source = new GuardedSource(response, body, guard);
  const stream = new ReadableStream<Uint8Array>(source as Source, { highWaterMark: 0 });
  const guarded = copyOf(response, stream);
  offerControl(guarded, source);
  return guarded;
}

/** `response` with another body. */
function copyOf(response: Response, body: Body): Response {
  const { status, statusText, headers, ok } = response;
  // Servers may send up to 999; a script can make no Response of more than 599.
  if (status < 600) return labelled(new Response(body, { status, statusText, headers }), response);
  const copy = labelled(new Response(body, { statusText, headers }), response);
  return Object.defineProperties(copy, { status: { value: status, configurable: true }, ok: { value: ok, configurable: true } });
}

/** `copy`, and what is cloned from it, with what a script cannot give a Response. */
function labelled(copy: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response => labelled(Response.prototype.clone.call(copy), copy);
  return Object.defineProperties(copy, {
    url: { value: url, configurable: true },
    redirected: { value: redirected, configurable: true },
    type: { value: type, configurable: true },
    clone: { value: clone, configurable: true },
  });
}

/** The type of a source is decided when it is made. */
type Source = NonNullable<ConstructorParameters<typeof ReadableStream<Uint8Array>>[0]>;
type Body = ReadableStream<Uint8Array>;
type BodyReader = ReadableStreamDefaultReader<Uint8Array>;
type Controller = ReadableStreamDefaultController<Uint8Array> & Partial<Pick<ReadableByteStreamController, 'byobRequest'>>;

/** The source of a guarded body: reads the body of the platform whenever a read of its own is pending, and only then. */
class GuardedSource implements BodyControl {
  /** As that of the body, since the chunks of a byte stream change hands, and those of another may belong to somebody. */
  readonly type: 'bytes' | undefined;
  // Kept with its body: undici cancels that of a Response that is garbage-collected.
  readonly #read: { readonly response: Response; readonly body: Body };
  readonly #guard: BodyGuard;
  readonly #watch: Watchdog | undefined;
  readonly #listening = new Subscription();
  #controller: Controller | undefined;
  #reader: BodyReader | undefined;
  #ended = false;

  constructor(response: Response, body: Body, guard: BodyGuard) {
    const { idle, signal } = guard;
    this.type = isByteStream(body) ? 'bytes' : undefined;
    this.#read = { response, body };
    this.#guard = guard;
    this.#watch =
      idle &&
      watchdog(idle.timeout, () => {
        this.#timeOut(idle.timeoutError());
      });
    if (signal) this.abortOn(signal);
  }

  readonly takeIdleTimeout = (): IdleTimeout | undefined => {
    this.#watch?.unsubscribe();
    return this.#guard.idle;
  };

  readonly abortOn = (signal: AbortSignal): void => {
    if (this.#ended) return;
    this.#listening.add(GuardedSource.#failOn(signal, new WeakRef(this)));
    forgotten.register(this, this.#listening);
  };

  /** Held weakly, and from outside its scope: a listener on a long-lived signal must not keep every unread body alive. */
  static #failOn(signal: AbortSignal, weak: WeakRef<GuardedSource>): Subscription {
    return fromSignal(signal).subscribe({
      error: (reason: unknown) => {
        const source = weak.deref();
        if (source) source.#fail(reason);
      },
    });
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  pull(controller: Controller): PromiseLike<void> {
    this.#reader ??= this.#read.body.getReader();
    this.#watch?.touch();
    return this.#reader.read().then(
      ({ done, value }) => {
        if (this.#ended) return undefined;
        this.#watch?.pause();
        if (done) {
          this.#end();
          controller.close();
          controller.byobRequest?.respond(0);
          return undefined;
        }
        // A byte stream takes no empty chunk.
        if (this.type === 'bytes' && value.byteLength === 0) return this.pull(controller);
        controller.enqueue(value);
        return undefined;
      },
      (error: unknown) => {
        if (this.#ended) return;
        this.#end();
        this.#guard.broken?.(error);
        controller.error(error);
      },
    );
  }

  cancel(reason: unknown): PromiseLike<void> {
    this.#end();
    return this.#cancelBody(reason);
  }

  #timeOut(error: unknown): void {
    this.#fail(error);
    this.#guard.abort?.(error);
  }

  #fail(reason: unknown): void {
    if (this.#ended) return;
    this.#end();
    this.#controller?.error(reason);
    this.#cancelBody(reason).then(undefined, () => undefined);
  }

  #end(): void {
    this.#ended = true;
    this.#watch?.unsubscribe();
    this.#listening.unsubscribe();
  }

  #cancelBody(reason: unknown): PromiseLike<void> {
    return (this.#reader ?? this.#read.body).cancel(reason);
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

/** Watches the reads of what stands in for a stream; its request's signal ends a read that waits too long. */
function watchReads(response: Response, body: Pick<Body, 'getReader'>, { idle, abort }: BodyGuard): void {
  if (!idle || !Object.isExtensible(body)) return;
  const watch = watchdog(idle.timeout, () => {
    abort?.(idle.timeoutError());
  });
  const getReader = body.getReader.bind(body);
  const watched = (): BodyReader => {
    const reader = getReader();
    const read = reader.read.bind(reader);
    const watchedRead: typeof read = () => {
      watch.touch();
      return read().then(
        (chunk) => {
          watch.pause();
          return chunk;
        },
        (error: unknown) => {
          watch.unsubscribe();
          throw error;
        },
      );
    };
    return Object.defineProperty(reader, 'read', { value: watchedRead });
  };
  Object.defineProperty(body, 'getReader', { value: watched, configurable: true });
  offerControl(response, {
    takeIdleTimeout: () => {
      watch.unsubscribe();
      return idle;
    },
  });
}
