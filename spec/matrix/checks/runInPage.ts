import { runChecks } from './Check.js';
import { everywhere } from './everywhere.js';
import { inPages } from './inPages.js';

/** Called by whoever drives the page. */
Object.assign(globalThis, { runAll: (origin: string) => runChecks([...everywhere, ...inPages], origin) });
