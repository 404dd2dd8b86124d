/**
 * coldfetch/core: `createClient` and `asFetch` without a default pacer, for small bundles. Everything else comes from `coldfetch`.
 *
 * @packageDocumentation
 */
export { asFetch } from './asFetch.js';
export { createClient } from './createClient.js';
export type { AsFetchOptions } from '../client/fetchOver.js';
export type { ClientOptions } from '../client/ClientOptions.js';
export type { HttpClient } from '../client/HttpClient.js';
