import type { Refusal } from './Limiter.js';

/** A delay that a server asks for. */
export interface AskedDelay {
  /** In ms from the answer. */
  readonly delay: number;
  /** Name of the field that it was read from. */
  readonly source: string;
  /** Whether no policy shortens it: an announced quota is used up until then. */
  readonly binding?: boolean;
}

/** The delay that a refusal asks for, where it counts. */
export function hintOf({ delay, source = 'retryAfter', binding }: Refusal): AskedDelay | undefined {
  return delay === undefined ? undefined : { delay, source, binding };
}
