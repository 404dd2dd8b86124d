import { offerControl } from './bodyControl.js';
import { type BodyGuard, GuardedBody } from './GuardedBody.js';
import { guardedMethods, isPristine } from './guardedMethods.js';

/** Key of a stand-in's own way to guard its body: that of `coldfetch/testing` is read in virtual time, which streams are not. */
export const OWN_GUARD: unique symbol = Symbol.for('coldfetch.guard');

/** Stand-in for a Response that guards its body itself. */
export interface GuardedStandIn {
  [OWN_GUARD](guard: BodyGuard): void;
}

/** Statuses whose Responses cannot be made with a body (Fetch standard, null body status). */
export const NULL_BODY_STATUSES = [101, 103, 204, 205, 304];

/**
 * A response of the same status, header fields, URL and bytes, whose body ends as the guard says, however it is read: by its methods, by
 * those of a clone, as a stream, in another Response. It is a Response of the platform, and so behaves like one; it is the given object
 * where that has the methods of its class.
 *
 * The idle timeout runs only while a read is pending: the pauses of a slow reader are no silence of the server. When the body has ended,
 * was cancelled, or is dropped unread, neither a timer nor a listener is left.
 *
 * A response without a body is handed on as it is, and so is one that guards its body itself.
 */
export function guardBody(response: Response, guard: BodyGuard): Response {
  const { body, status } = response;
  if (!body || response.bodyUsed || NULL_BODY_STATUSES.includes(status)) return response;
  // A caller with a signal is not in virtual time, and gets a stream.
  if (OWN_GUARD in response && !guard.listen) {
    (response as GuardedStandIn)[OWN_GUARD](guard);
    return response;
  }
  const guardedBody = new GuardedBody(response, body, guard);
  const guarded = isPristine(response) ? (Object.setPrototypeOf(response, guardedMethods()) as Response) : (guardedBody.copy() ?? response);
  offerControl(guarded, guardedBody);
  return guarded;
}
