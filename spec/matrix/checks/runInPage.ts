import { runChecks } from './Check.js';
import { everywhere } from './everywhere.js';
import { inPages } from './inPages.js';

/** Called by the driver of the page. */
Object.assign(globalThis, { runAll: (origin: string) => runChecks([...everywhere, ...inPages], origin) });
