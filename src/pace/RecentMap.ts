/** A map that keeps the `max` entries that were used last. */
export class RecentMap<V> {
  /** Least recently used first. */
  readonly #entries = new Map<string, V>();
  readonly #max: number;
  readonly #dropped: (value: V) => void;
  #latest: string | undefined;

  constructor(max: number, dropped: (value: V) => void = () => undefined) {
    this.#max = max;
    this.#dropped = dropped;
  }

  /** Looks without using. */
  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Uses the entry `key`, which is `value` from now on. */
  use(key: string, value: V): V {
    if (key !== this.#latest) this.#entries.delete(key);
    this.#latest = key;
    this.#entries.set(key, value);
    const [oldest] = this.#entries.size > this.#max ? this.#entries : [];
    if (oldest) {
      this.#entries.delete(oldest[0]);
      this.#dropped(oldest[1]);
    }
    return value;
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
