import type { Watchdog } from '../time.js';
import type { OutgoingBody } from './outgoingBody.js';
import type { Hop } from './Hop.js';

/** One hop of a call that does not go by `fetch`. */
export interface DispatchedHop extends Pick<Hop, 'url' | 'method' | 'headers'> {
  /** The body as it goes out; undefined for none. */
  readonly body: OutgoingBody | undefined;
  /** Options of `fetch` that the caller gave. */
  readonly init: RequestInit;
  /** The idle timeout, which runs; it may pause while the hop waits for a connection. */
  readonly idle: Pick<Watchdog, 'touch' | 'pause'>;
  /** True if a redirect fails the call; otherwise it is a response like any other. */
  readonly refusesRedirects: boolean;
}

/** Listener to the end of a hop: one of its two functions is called, once. */
export interface HopListener {
  readonly answered: (response: Response) => void;
  /** Takes the error that `fetch` would reject with. */
  readonly failed: (error: unknown) => void;
}

/**
 * Sends one hop by other means than `fetch`. Returns a function that ends the request where no response has come yet; later the `cancel` of
 * the response's body ends it. It works by callbacks, since an observable costs each request more than the rest of its sending.
 */
export type Dispatch = (hop: DispatchedHop, listener: HopListener) => () => void;
