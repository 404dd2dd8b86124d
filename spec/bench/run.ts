import { cacheHit } from './cacheHit.js';
import { cost } from './cost.js';
import { lines } from './lines.js';
import { memory } from './memory.js';
import { size } from './size.js';

console.log(`node ${process.version}, ${process.platform} ${process.arch}`);
await size();
await cost();
await cacheHit();
await memory();
await lines();
