import { same } from './assert.js';
import type { Check } from './Check.js';

/**
 * Checks that hold while a bundler's stand-in is in the place of `process`. The library is loaded by them, so that they have to come before
 * all others.
 */
export const standIn: readonly Check[] = [
  {
    name: 'a stand-in for process does no harm',
    run: async (serve) => {
      const { url } = await serve({ status: 503 }, { json: 1 });
      const own = Object.getOwnPropertyDescriptor(globalThis, 'process');
      Object.defineProperty(globalThis, 'process', { value: { env: {} }, configurable: true });
      try {
        const { createClient } = await import('coldfetch');
        const { lastValueFrom } = await import('rxjs');
        same(await lastValueFrom(createClient({ baseUrl: url }).get('/')), 1);
      } finally {
        if (own === undefined) Reflect.deleteProperty(globalThis, 'process');
        else Object.defineProperty(globalThis, 'process', own);
      }
    },
  },
];
