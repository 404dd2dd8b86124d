/**
 * Imports a peer of the benchmark: from this folder, which has a lock and a `node_modules` of its own.
 *
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export const load = (name) => import(name);
