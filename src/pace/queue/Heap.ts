/** A binary heap: the first by `before` in logarithmic time. */
export class Heap<T> {
  #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  /** @param before true if `a` comes out before `b` */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1, item);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(0, last);
    return first;
  }

  /** All items, first to last. */
  sorted(): T[] {
    return [...this.#items].sort((a, b) => (this.#before(a, b) ? -1 : 1));
  }

  /** Drops the items that do not pass `test`. */
  keep(test: (item: T) => boolean): void {
    const kept = this.#items.filter(test);
    this.#items = [];
    for (const item of kept) this.push(item);
  }

  #rise(index: number, item: T): void {
    let at = index;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#before(item, parent)) break;
      this.#items[at] = parent;
      at = above;
    }
    this.#items[at] = item;
  }

  #sink(index: number, item: T): void {
    let at = index;
    for (;;) {
      const left = at * 2 + 1;
      let below = left;
      let child = this.#items[left];
      const right = this.#items[left + 1];
      if (child !== undefined && right !== undefined && this.#before(right, child)) {
        child = right;
        below = left + 1;
      }
      if (child === undefined || !this.#before(child, item)) break;
      this.#items[at] = child;
      at = below;
    }
    this.#items[at] = item;
  }
}
