import { bodies } from './bodies.js';
import type { Check } from './Check.js';
import { failures } from './failures.js';
import { reading } from './reading.js';
import { requests } from './requests.js';
import { virtualTime } from './virtualTime.js';
import { waiting } from './waiting.js';

/** Checks of every runtime. */
export const everywhere: readonly Check[] = [...requests, ...failures, ...waiting, ...bodies, ...reading, ...virtualTime];
