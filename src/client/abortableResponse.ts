import { bodyControl } from '../transport/bodyControl.js';
import { guardBody } from '../transport/guardBody.js';

/**
 * An answer whose body `signal` reaches until it has ended, as the idle timeout of its request does: an abort fails it with the signal's own
 * reason, silence with a TimeoutError. Then (or when the body is dropped unread) no listener is left.
 */
export function abortableResponse(response: Response, signal: AbortSignal | undefined): Response {
  const control = bodyControl(response);
  if (control?.abortOn) {
    if (signal) control.abortOn(signal);
    return response;
  }
  const idle = control?.takeIdleTimeout();
  return signal || idle ? guardBody(response, { idle, signal }) : response;
}
