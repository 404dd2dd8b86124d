import { type RuleCounter, UNUSED } from '../retry/rules.js';

/** Counters of the retries of one operation, one for each rule: 429s and 5xx count apart. */
export class RuleCounters {
  #counters: Map<string, RuleCounter> | undefined;

  of(rule: string): RuleCounter {
    return this.#counters?.get(rule) ?? UNUSED;
  }

  set(rule: string, counter: RuleCounter): void {
    this.#counters ??= new Map();
    this.#counters.set(rule, counter);
  }

  /** Retries made, by rule. */
  report(): Record<string, number> {
    return Object.fromEntries([...(this.#counters ?? [])].map(([rule, { retries }]) => [rule, retries]));
  }
}
