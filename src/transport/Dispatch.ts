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
  /** True if a redirect fails the call; otherwise it is an answer like any other. */
  readonly refusesRedirects: boolean;
}

/** Hears how a hop ends: one of the two is called, once. */
export interface HopListener {
  readonly answered: (response: Response) => void;
  /** The error is what `fetch` would reject with. */
  readonly failed: (error: unknown) => void;
}

/**
 * Sends one hop by other means than `fetch`. Gives a function that ends the request where no answer has come yet; later the `cancel` of the
 * answer's body does. Callbacks, as an observable costs each request more than the rest of its sending.
 */
export type Dispatch = (hop: DispatchedHop, listener: HopListener) => () => void;
