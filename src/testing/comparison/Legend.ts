import { describeValue } from '../values/describeValue.js';
import type { Equals } from '../values/equality.js';

interface Entry {
  readonly symbol: string;
  readonly value: unknown;
}

/** Letters for received values that have none in the spec. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

/** Symbol of values once the letters are used up. */
const OTHER = '?';

/** Letters and the values that they stand for, in the diagrams of one failure. */
export class Legend {
  readonly #entries = new Map<string, Entry>();
  readonly #equals: Equals;

  constructor(equals: Equals) {
    this.#equals = equals;
  }

  /** Lets `symbol` stand for an expected value. */
  define(symbol: string, value: unknown): string {
    if (!this.#entries.has(symbol)) this.#entries.set(symbol, { symbol, value });
    return symbol;
  }

  /** The letter for a received value: `likely` if it stands for the value, another letter that does, the value itself, or a new letter. */
  symbolOf(value: unknown, likely: string | undefined): string {
    const entries = [...this.#entries.values()];
    const stands = (entry: Entry): boolean => this.#equals(value, entry.value);
    const known = entries.find((entry) => entry.symbol === likely && stands(entry)) ?? entries.find(stands);
    if (known) return known.symbol;
    const free = (symbol: string): boolean => !this.#entries.has(symbol);
    if (typeof value === 'string' && /^[a-z0-9]$/i.test(value) && free(value)) return this.define(value, value);
    const symbol = LETTERS.find(free);
    return symbol === undefined ? OTHER : this.define(symbol, value);
  }

  /** A line for each letter that is drawn in `lines` and does not stand for itself. */
  describe(lines: readonly string[]): string[] {
    return [...this.#entries.values()]
      .filter(({ symbol, value }) => value !== symbol && lines.some((line) => line.includes(symbol)))
      .map(({ symbol, value }) => `${symbol}  ${describeValue(value)}`);
  }
}
