/**
 * A transport on undici's dispatcher: less work for each request than `fetch`, and HTTP/2, proxies, client certificates and unix sockets.
 *
 * @packageDocumentation
 */
export type { Dispatcher } from './Dispatcher.js';
export { undici, type UndiciOptions } from './undici.js';
