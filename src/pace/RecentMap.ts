/** Most origins that a limiter remembers. */
export const MAX_ORIGINS = 256;

/** A map that keeps the `max` entries that were used last. */
export class RecentMap<V> {
  /** Entries, least recently used first. */
  readonly #entries = new Map<string, V>();
  readonly #max: number;
  readonly #dropped: (value: V) => void;
  readonly #isBusy: (value: V) => boolean;
  #latest: string | undefined;

  /** @param isBusy true for an entry that must not be dropped yet; beyond twice `max` the oldest are dropped all the same */
  constructor(max: number, dropped: (value: V) => void = () => undefined, isBusy: (value: V) => boolean = () => false) {
    this.#max = max;
    this.#dropped = dropped;
    this.#isBusy = isBusy;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Reads an entry without using it. */
  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Uses the entry `key`, whose value is `value` from now on. */
  use(key: string, value: V): V {
    if (key !== this.#latest) this.#entries.delete(key);
    this.#latest = key;
    this.#entries.set(key, value);
    const oldest = this.#entries.size > this.#max ? this.#droppable() : undefined;
    if (oldest) {
      this.#entries.delete(oldest[0]);
      this.#dropped(oldest[1]);
    }
    return value;
  }

  #droppable(): [string, V] | undefined {
    const [first] = this.#entries;
    if (this.#entries.size > 2 * this.#max) return first;
    for (const entry of this.#entries) if (entry[0] !== this.#latest && !this.#isBusy(entry[1])) return entry;
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  entries(): Iterable<[string, V]> {
    return this.#entries.entries();
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }
}
