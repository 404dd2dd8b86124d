import { causeCode, isTerminalFailure, looksLikeNetworkFailure } from '../../request/networkError.js';
import type { ForeignReader } from './ForeignError.js';

/** Reads failures of the network as `fetch` throws them. */
export const fetchErrors: ForeignReader = (error) =>
  looksLikeNetworkFailure(error) ? { type: isTerminalFailure(error) ? 'terminal' : 'network', code: causeCode(error) } : undefined;
