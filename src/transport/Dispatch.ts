import type { Observable } from 'rxjs';
import type { Watchdog } from '../time.js';
import type { OutgoingBody } from './outgoingBody.js';
import type { Hop } from './Hop.js';

/** One hop of a call that does not go by `fetch`. */
export interface DispatchedHop extends Pick<Hop, 'url' | 'method' | 'headers'> {
  /** The body as it goes out; undefined for none. */
  readonly body: OutgoingBody | undefined;
  /** Options of `fetch` that the caller gave. */
  readonly init: RequestInit;
  /** The idle timeout, which runs; it may stand still while the hop waits for a connection. */
  readonly idle: Pick<Watchdog, 'touch' | 'pause'>;
  /** Whether a redirect fails the call; otherwise it is an answer like any other. */
  readonly refusesRedirects: boolean;
}

/**
 * Sends one hop by other means than `fetch`. Emits its answer once and completes; fails as `fetch` rejects. Unsubscribing before the answer
 * ends the request, later its body's `cancel` does.
 */
export type Dispatch = (hop: DispatchedHop) => Observable<Response>;
