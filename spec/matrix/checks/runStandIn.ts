import { runChecks } from './Check.js';
import { standIn } from './standIn.js';

console.log(JSON.stringify(await runChecks(standIn, process.argv[2] ?? '')));
