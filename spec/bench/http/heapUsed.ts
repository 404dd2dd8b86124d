/** Bytes of heap that are in use, garbage left out. */
export function heapUsed(): number {
  if (!globalThis.gc) throw new Error('Memory can be measured with node --expose-gc only');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
