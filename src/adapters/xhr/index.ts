/**
 * A transport on XMLHttpRequest, which reports the bytes of an upload in browsers. Bundles that do not import it do not carry it.
 *
 * @packageDocumentation
 */
export { xhr } from './xhr.js';
