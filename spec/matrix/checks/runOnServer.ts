import { runChecks } from './Check.js';
import { everywhere } from './everywhere.js';
import { onServers } from './onServers.js';

console.log(JSON.stringify(await runChecks([...everywhere, ...onServers], process.argv[2] ?? '')));
