import type { FoundResponse } from '../request/responseIn.js';
import { causeCode, isTerminalFailure, looksLikeNetworkFailure } from '../request/networkError.js';
import type { Failure } from './Failure.js';

/** Fields that errors of HTTP clients have in common; each may be missing. */
export interface ForeignError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly response?: unknown;
  readonly request?: unknown;
  readonly config?: unknown;
  /** Cause of an Angular error of status 0. */
  readonly error?: unknown;
}

/** The parts of a failure that a reader finds in an error. */
export type ReadFailure = Pick<Failure, 'type' | 'code'>;

/** Reads the errors of one client; undefined for those of others. A response without a status has the status 0: none arrived. */
export type ForeignReader = (error: ForeignError, answer: FoundResponse | undefined) => ReadFailure | undefined;

const NAMES = ['TimeoutError', 'AjaxTimeoutError'];

/** True if an error is a timeout by its name: that of RxJS's `ajax` or `timeout`, or of the platform's `AbortSignal.timeout`. */
function isNamedTimeout(error: unknown): boolean {
  return NAMES.includes(String((error as { name?: unknown } | null | undefined)?.name));
}

/** Reads timeouts of RxJS and of the platform. */
export const timeouts: ForeignReader = (error) => (isNamedTimeout(error) ? { type: 'timeout' } : undefined);

/** Reads failures of the network as `fetch` throws them. */
export const fetchErrors: ForeignReader = (error) =>
  looksLikeNetworkFailure(error) ? { type: isTerminalFailure(error) ? 'terminal' : 'network', code: causeCode(error) } : undefined;

/** Reads errors whose status is 0: Angular's `HttpErrorResponse`, which has its cause as `error`, and RxJS's `AjaxError`. */
export const statusZero: ForeignReader = (error, answer) => {
  if (!answer) return undefined;
  const cause = error.error;
  const code = causeCode(error) ?? causeCode(cause);
  if (isNamedTimeout(cause)) return { type: 'timeout', code };
  return { type: [error, cause].some(isTerminalFailure) ? 'terminal' : 'network', code };
};

/** Codes of axios for failures without a response: https://axios-http.com/docs/handling_errors */
const CODES: Readonly<Record<string, Failure['type']>> = {
  ERR_NETWORK: 'network',
  ECONNABORTED: 'timeout',
  ETIMEDOUT: 'timeout',
  ERR_CANCELED: 'terminal',
};
/** A connection's code, as axios has it on Node: ECONNREFUSED, ENOTFOUND, EPIPE, EAI_AGAIN, ... */
const CONNECTION_CODE = /^E(?!RR_)[A-Z_]+$/;

/** Reads errors of axios, which carry the `config` of their request. */
export const axios: ForeignReader = (error) => {
  if (error.config === undefined) return undefined;
  const code = String(error.code);
  const type = CODES[code];
  if (type) return { type };
  return CONNECTION_CODE.test(code) ? { type: isTerminalFailure(error) ? 'terminal' : 'network', code: causeCode(error) } : undefined;
};
