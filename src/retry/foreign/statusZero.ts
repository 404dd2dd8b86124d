import { causeCode, isTerminalFailure } from '../../request/networkError.js';
import type { ForeignReader } from './ForeignError.js';
import { isNamedTimeout } from './timeouts.js';

/** Reads errors whose status is 0: Angular's `HttpErrorResponse`, which has its cause as `error`, and RxJS's `AjaxError`. */
export const statusZero: ForeignReader = (error, answer) => {
  if (!answer) return undefined;
  const cause = error.error;
  const code = causeCode(error) ?? causeCode(cause);
  if (isNamedTimeout(cause)) return { type: 'timeout', code };
  return { type: [error, cause].some(isTerminalFailure) ? 'terminal' : 'network', code };
};
