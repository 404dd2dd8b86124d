import type { Priority } from '../../request/tokens.js';
import type { Asker } from '../Asker.js';
import { Heap } from './Heap.js';

/** By how many ms of age a lower priority makes up for a higher one. */
export const AGEING: Readonly<Record<Priority, number>> = { interactive: 0, normal: 10_000, background: 60_000 };

/** An ask's place in its line. */
export interface Place {
  /** `undefined`, once it has left. */
  asker: Asker | undefined;
  readonly line: AskLine;
  readonly rejections: number;
  readonly priority: Priority;
  /** When it came, put off by what its priority is behind: so a low one rises with age. */
  readonly order: number;
  readonly arrival: number;
  /** When it gives up. */
  readonly until: number;
}

/** Those who wait for the same: fewest 429s first, then by priority with ageing, then by age. */
export class AskLine {
  readonly name: string;
  /** Holds those that have left, too, until they come to the front or are too many. */
  readonly #places = new Heap<Place>(goesBefore);
  /** How many wait, by rejections and priority. */
  readonly #counts = new Map<string, number>();
  #live = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** How many wait. */
  get length(): number {
    return this.#live;
  }

  /** @param arrival grows with each that enters any line of the queue */
  enter(asker: Asker, now: number, arrival: number): Place {
    const { rejections = 0, priority = 'normal', deadline = Infinity, maxWait = Infinity } = asker.ask;
    const order = now + AGEING[priority];
    const until = Math.min(deadline, now + maxWait);
    const place = { asker, line: this, rejections, priority, order, arrival, until };
    this.#places.push(place);
    this.#count(place, 1);
    return place;
  }

  leave(place: Place): void {
    place.asker = undefined;
    this.#count(place, -1);
    if (this.#places.size > 2 * this.#live + 64) this.#places.keep(isWaiting);
  }

  first(): Place | undefined {
    let first = this.#places.peek();
    while (first && !first.asker) {
      this.#places.pop();
      first = this.#places.peek();
    }
    return first;
  }

  /** All who wait, in their order. */
  all(): Place[] {
    return this.#places.sorted().filter(isWaiting);
  }

  /** How many go before `place`, its own kind having come earlier; ageing left aside. */
  ahead(place: Place): number {
    let ahead = -1;
    for (const [key, waiting] of this.#counts) {
      const [rejections, priority] = key.split(' ') as [string, Priority];
      const later = Number(rejections) - place.rejections || AGEING[priority] - AGEING[place.priority];
      if (later <= 0) ahead += waiting;
    }
    return ahead;
  }

  #count(place: Place, change: 1 | -1): void {
    const key = `${place.rejections} ${place.priority}`;
    const waiting = (this.#counts.get(key) ?? 0) + change;
    if (waiting > 0) this.#counts.set(key, waiting);
    else this.#counts.delete(key);
    this.#live += change;
  }
}

/** Whether `a` goes before `b`. */
export function goesBefore(a: Place, b: Place): boolean {
  return (a.rejections - b.rejections || a.order - b.order || a.arrival - b.arrival) < 0;
}

/** Whether it has not left. */
export function isWaiting({ asker }: Place): boolean {
  return asker !== undefined;
}
