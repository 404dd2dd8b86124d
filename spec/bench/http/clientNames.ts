/** Prints the names of the clients that this Node can run, as JSON. */
import { clients } from './clients.js';

process.stdout.write(JSON.stringify(Object.keys(await clients())), () => process.exit());
