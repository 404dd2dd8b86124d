import { watchdog } from '../time.js';
import { offerControl } from './bodyControl.js';
import { type BodyGuard, GuardedBody } from './GuardedBody.js';
import { guardedMethods, isPristine } from './guardedMethods.js';

type Body = ReadableStream<Uint8Array>;
type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Statuses whose Responses cannot be made with a body (Fetch standard, null body status). */
const BODILESS = [101, 103, 204, 205, 304];

/**
 * A response of the same status, header fields, URL and bytes, whose body ends as the guard says, however it is read: by its methods, by
 * those of a clone, as a stream, in another Response. It is a Response of the platform, and so behaves like one; it is the given object
 * where that has the methods of its class.
 *
 * The idle timeout runs only while a read is pending: the pauses of a slow reader are no silence of the server. When the body has ended,
 * was cancelled, or is dropped unread, neither a timer nor a listener is left.
 *
 * A response without a body is handed on as it is. So is a stand-in for a Response, but the reads of a virtual body are watched in place:
 * they settle in virtual time, which streams do not.
 */
export function guardBody(response: Response, guard: BodyGuard): Response {
  const { body, status } = response;
  if (!body || response.bodyUsed || BODILESS.includes(status)) return response;
  // A caller with a signal is not in virtual time, and gets a stream.
  if (!(body instanceof ReadableStream) && !guard.signal) {
    watchReads(response, body, guard);
    return response;
  }
  const guardedBody = new GuardedBody(response, body, guard);
  const guarded = isPristine(response) ? (Object.setPrototypeOf(response, guardedMethods()) as Response) : (guardedBody.copy() ?? response);
  offerControl(guarded, guardedBody);
  return guarded;
}

/** Watches the reads of a stand-in for a stream; its request's signal ends a read that waits too long. */
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
