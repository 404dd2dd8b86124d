/**
 * A transport on XMLHttpRequest, which tells of the bytes of an upload in browsers. Whoever does not import it does not carry it.
 *
 * @packageDocumentation
 */
export { xhr } from './xhr.js';
