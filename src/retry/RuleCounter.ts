/** Retries of one rule in one operation: each rule counts by itself, 429s apart from other failures for example. */
export interface RuleCounter {
  /** Retries made. */
  readonly retries: number;
  /** Last backoff of the rule's own, in ms. */
  readonly previous: number | undefined;
  /** Whether the last hint was zero. */
  readonly zero: boolean;
}

/** Counter of a rule that has not been used. */
export const UNUSED: RuleCounter = { retries: 0, previous: undefined, zero: false };
