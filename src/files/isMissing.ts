import { codeOf } from '../request/errors/causes.js';

/** Codes of an import of a package that is not installed: those of Node, and that of Yarn's Plug'n'Play (`UNDECLARED_DEPENDENCY` too). */
const CODES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'UNDECLARED_DEPENDENCY', 'MISSING_PEER_DEPENDENCY', 'MISSING_DEPENDENCY'];

/** True if the import of a package failed because it is not installed, or because Yarn's Plug'n'Play knows of no such dependency. */
export function isMissing(error: unknown): boolean {
  return CODES.includes(codeOf(error) ?? '') || /(isn't provided|but it isn't declared)/.test(error instanceof Error ? error.message : '');
}

/** Failure of an import as it is: esbuild leaves an import of a missing package for run time only if it is caught. */
export function rethrow(error: unknown): never {
  throw error;
}
