import type { Subscription } from 'rxjs';
import { fromSignal } from '../transport/stopOn.js';

/** Ends the listening for a body that nobody holds any more. */
const forgotten = new FinalizationRegistry<Subscription>((listening) => {
  listening.unsubscribe();
});

/**
 * An answer of the same status, header fields, URL and bytes, whose body `signal` reaches until it has ended: an abort fails it with the
 * signal's own reason. Then (or when the body is dropped unread) no listener is left.
 */
export function abortableResponse(response: Response, signal: AbortSignal | undefined): Response {
  const { body, status, statusText, headers } = response;
  if (!signal || !body) return response;
  return labelled(new Response(abortableBody(body, signal), { status, statusText, headers }), response);
}

/** `copy`, and what is cloned from it, with what a script cannot give a Response. */
function labelled(copy: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response => labelled(Response.prototype.clone.call(copy), copy);
  for (const [name, value] of Object.entries({ url, redirected, type, clone })) {
    Object.defineProperty(copy, name, { value, configurable: true });
  }
  return copy;
}

function abortableBody(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cancel = (reason?: unknown): Promise<void> => reader.cancel(reason).then(undefined, () => undefined);
  const listening = { end: (): void => undefined };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Held weakly: a listener on a long-lived signal must not keep every unread body alive.
        const weak = new WeakRef(controller);
        const subscription = fromSignal(signal).subscribe({
          error: (reason: unknown) => {
            weak.deref()?.error(reason);
            void cancel(reason);
          },
        });
        listening.end = () => {
          subscription.unsubscribe();
        };
        forgotten.register(controller, subscription);
      },
      pull: (controller) =>
        reader.read().then(
          ({ done, value }) => {
            if (!done) {
              controller.enqueue(value);
              return;
            }
            listening.end();
            controller.close();
          },
          (error: unknown) => {
            listening.end();
            controller.error(error);
          },
        ),
      cancel: (reason) => {
        listening.end();
        return cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return stream;
}
