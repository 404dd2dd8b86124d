import type { Priority } from '../../request/tokens.js';
import { Heap } from './Heap.js';
import type { Waiter } from './Waiter.js';

/** Milliseconds of age by which a lower priority makes up for a higher one. */
export const AGEING: Readonly<Record<Priority, number>> = { interactive: 0, normal: 10_000, background: 60_000 };

/** A waiter's entry in its line. */
export interface Entry {
  /** The waiter; `undefined` once it has left. */
  waiter: Waiter | undefined;
  /** Error behind the wait, by the last estimate. The estimate itself is not kept: many may wait. */
  cause: unknown;
  readonly line: Line;
  readonly lane: Heap<Entry>;
  readonly rejections: number;
  readonly priority: Priority;
  /** Time of arrival, put off by the disadvantage of its priority, so that a low priority rises with age. */
  readonly order: number;
  readonly arrival: number;
  /** Moment at which `maxWait` is over. */
  readonly until: number;
  /** Moment at which `maxWait` or the deadline is over. */
  readonly ends: number;
}

/** Waiters for the same quota, in lanes: fewest 429s first, then by priority with ageing, then by age. */
export class Line {
  readonly name: string;
  /** Entries that have left stay until they come to the front or are too many. */
  readonly #lanes = new Map<string, Heap<Entry>>();
  /** Number of waiters, by rejections and priority. */
  readonly #counts = new Map<string, number>();
  #live = 0;
  #kept = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Number of waiters. */
  get length(): number {
    return this.#live;
  }

  /** @param arrival grows with each that enters any line of the queue */
  enter(waiter: Waiter, laneName: string, now: number, arrival: number): Entry {
    const { rejections = 0, priority = 'normal', maxWait = Infinity, deadline = Infinity } = waiter.ask;
    const lane = this.#lanes.get(laneName) ?? new Heap<Entry>(goesBefore);
    this.#lanes.set(laneName, lane);
    const order = now + AGEING[priority];
    const until = now + maxWait;
    const ends = Math.min(until, deadline);
    const entry = { waiter, cause: undefined, line: this, lane, rejections, priority, order, arrival, until, ends };
    lane.push(entry);
    this.#kept++;
    this.#count(entry, 1);
    return entry;
  }

  leave(entry: Entry): void {
    entry.waiter = undefined;
    this.#count(entry, -1);
    if (this.#kept > 2 * this.#live + 64) this.#sweep();
  }

  /** The first entry of every lane. */
  firsts(): Entry[] {
    return [...this.#lanes.values()].flatMap((lane) => this.firstOf(lane) ?? []);
  }

  firstOf(lane: Heap<Entry>): Entry | undefined {
    let first = lane.peek();
    while (first && !first.waiter) {
      lane.pop();
      this.#kept--;
      first = lane.peek();
    }
    return first;
  }

  /** All waiting entries, in their order. */
  all(): Entry[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.sorted().filter(isWaiting)).sort((a, b) => (goesBefore(a, b) ? -1 : 1));
  }

  /** Number of waiters that go before `entry`, equal ones having come earlier; ageing is left aside. */
  ahead(entry: Entry): number {
    let ahead = -1;
    for (const [key, waiting] of this.#counts) {
      const [rejections, priority] = key.split(' ') as [string, Priority];
      const later = Number(rejections) - entry.rejections || AGEING[priority] - AGEING[entry.priority];
      if (later <= 0) ahead += waiting;
    }
    return ahead;
  }

  #sweep(): void {
    this.#kept = 0;
    for (const [name, lane] of this.#lanes) {
      lane.keep(isWaiting);
      this.#kept += lane.size;
      if (lane.size === 0) this.#lanes.delete(name);
    }
  }

  #count(entry: Entry, change: 1 | -1): void {
    const key = `${entry.rejections} ${entry.priority}`;
    const waiting = (this.#counts.get(key) ?? 0) + change;
    if (waiting > 0) this.#counts.set(key, waiting);
    else this.#counts.delete(key);
    this.#live += change;
  }
}

/** True if `a` goes before `b`. */
export function goesBefore(a: Entry, b: Entry): boolean {
  return (a.rejections - b.rejections || a.order - b.order || a.arrival - b.arrival) < 0;
}

/** True if the entry has not left. */
export function isWaiting({ waiter }: Entry): boolean {
  return waiter !== undefined;
}
