import { readFailure } from '../retry/readFailure.js';
import { keepBody } from '../transport/keepBody.js';
import type { FailureReader } from './OperationContext.js';
import { peekBody } from './peekBody.js';

/** Reads the failures of all clients that are known, and the bodies of Responses. */
export const anyFailure: FailureReader = { read: readFailure, peek: peekBody, keep: keepBody };
