import type { ForeignReader } from './ForeignError.js';

const NAMES = ['TimeoutError', 'AjaxTimeoutError'];

/** Whether an error is a timeout by its name: that of RxJS's `ajax` or `timeout`, or of the platform's `AbortSignal.timeout`. */
export function isNamedTimeout(error: unknown): boolean {
  return NAMES.includes(String((error as { name?: unknown } | null | undefined)?.name));
}

/** Reads timeouts of RxJS and of the platform. */
export const timeouts: ForeignReader = (error) => (isNamedTimeout(error) ? { type: 'timeout' } : undefined);
