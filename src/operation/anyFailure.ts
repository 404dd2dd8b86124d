import { readFailure } from '../retry/readFailure.js';
import type { FailureReader } from './OperationContext.js';
import { responseBodies } from './responseBodies.js';

/** Reads the failures of all clients that are known, and the bodies of Responses. */
export const anyFailure: FailureReader = { read: readFailure, bodies: responseBodies };
