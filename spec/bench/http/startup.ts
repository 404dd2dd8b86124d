/** Imports one module in this fresh process and prints what that took, as JSON. Arguments: the module, and `peer` where it is one. */
import { load } from '../peers/load.mjs';
import { heapUsed } from './heapUsed.js';

/** Cost of importing a module. */
export interface ImportCost {
  readonly ms: number;
  /** Bytes of heap that it holds. */
  readonly heap: number;
  /** Bytes of memory of the process. */
  readonly rss: number;
}

const [, , name = '', kind] = process.argv;
const before = heapUsed();
const { rss } = process.memoryUsage();
const began = performance.now();
await (kind === 'peer' ? load(name) : import(name));
const ms = performance.now() - began;
const heap = heapUsed() - before;
console.log(JSON.stringify({ ms, heap, rss: process.memoryUsage().rss - rss } satisfies ImportCost));
