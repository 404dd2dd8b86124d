import type { Subscription } from 'rxjs';
import type { FailableBody, ListenForBody } from './bodyControl.js';
import { fromSignal } from './takeUntilAborted.js';

/** Part of the global object that an engine may lack: Hermes has no registry. */
const { FinalizationRegistry: Registry } = globalThis as { readonly FinalizationRegistry?: FinalizationRegistryConstructor };

/** Ends the listening for a body that nobody holds any more; without a registry the listening lasts as long as its signal. */
const forgotten =
  Registry &&
  new Registry<Subscription>((listening) => {
    listening.unsubscribe();
  });

/** Fails a body with the reason of a signal. */
export function failOnAbort(signal: AbortSignal): ListenForBody {
  return (body) => {
    const listening = listenWeakly(signal, new WeakRef(body));
    forgotten?.register(body, listening);
    return listening;
  };
}

/** The body is held weakly, from outside its scope: a listener on a long-lived signal must not keep every unread body alive. */
function listenWeakly(signal: AbortSignal, weak: WeakRef<FailableBody>): Subscription {
  return fromSignal(signal).subscribe({ error: (reason: unknown) => weak.deref()?.fail(reason) });
}
