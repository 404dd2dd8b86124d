import { runChecks } from './Check.js';
import { standIn } from './standIn.js';

/** Called by whoever drives the page. */
Object.assign(globalThis, { runStandIn: (origin: string) => runChecks(standIn, origin) });
