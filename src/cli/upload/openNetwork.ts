import { type Dispatcher, isDispatcher } from '../../adapters/undici/Dispatcher.js';
import { sendingBy } from '../../adapters/undici/undici.js';
import type { ClientOptions } from '../../client/ClientOptions.js';
import { networkFetch, type NetworkOptions } from './networkFetch.js';

/** Name under which the copy of undici within Node, and every other one, keeps the global dispatcher. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Options of a client for the network of a command: its {@link networkFetch} where it needs one, else the dispatcher that the platform's `fetch`
 * sends by. An upload of many files takes a third of the processor time that way. Without a known dispatcher (Bun, Deno) the platform's `fetch` sends.
 */
export async function openNetwork(options: NetworkOptions): Promise<Pick<ClientOptions, 'fetch' | 'transport'>> {
  const fetch = await networkFetch(options);
  if (fetch !== undefined) return { fetch };
  return platformDispatcher() === undefined ? {} : { transport: sendingBy(() => platformDispatcher() ?? missing()) };
}

function platformDispatcher(): Dispatcher | undefined {
  // The classes of the web load undici, which makes it.
  const known: unknown = typeof Response === 'function' && Reflect.get(globalThis, GLOBAL_DISPATCHER);
  return isDispatcher(known) ? known : undefined;
}

function missing(): never {
  throw new Error('The global dispatcher of undici was taken away while a command used it');
}
