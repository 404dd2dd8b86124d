import { causeCode, isTerminalFailure } from '../../request/networkError.js';
import type { Failure } from '../Failure.js';
import type { ForeignReader } from './ForeignError.js';

/** Codes of axios that are no answer: https://axios-http.com/docs/handling_errors */
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
