import { runChecks } from './Check.js';
import { standIn } from './standIn.js';

/** Called by the driver of the page. */
Object.assign(globalThis, { runStandIn: (origin: string) => runChecks(standIn, origin) });
