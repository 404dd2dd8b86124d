import type { HeadersLike } from '../headers/HeadersLike.js';
import { isCached } from '../headers/isCached.js';
import type { QuotaWindow } from '../headers/QuotaWindow.js';
import { readRateLimit } from '../headers/readRateLimit.js';
import { retryAfter } from '../headers/sources/retryAfter.js';
import { LimiterError } from '../request/errors/LimiterError.js';
import { wallClock } from '../time.js';
import { Hints } from './Hints.js';
import type { Answer, Claim, Outcome } from './Limiter.js';
import { RecentMap } from './RecentMap.js';
import { type Turn, WindowPacer } from './window/WindowPacer.js';

/** Most windows that are kept of one origin. */
const MAX_WINDOWS = 16;

/** The part that a request has in each window of its origin. */
export type Turns = Map<WindowPacer, Turn>;

/**
 * The gate of one origin: every 429 closes it until its full hint, for all who want to send there; the windows behind it learn their share
 * each by itself.
 */
export class OriginPacer {
  readonly #random: () => number;
  readonly #closed: () => void;
  readonly #maxHint: number;
  readonly #hints: Hints;
  readonly #windows = new RecentMap<WindowPacer>(MAX_WINDOWS);
  /** The latest moment that any 429 asked to wait for. */
  #hint = 0;
  #lastRejection: Answer | undefined;

  constructor(random: () => number, maxHint: number, closed: () => void) {
    this.#random = random;
    this.#hints = new Hints(random);
    this.#maxHint = maxHint;
    this.#closed = closed;
    this.#windows.use('', new WindowPacer(random, closed));
  }

  get windows(): Iterable<WindowPacer> {
    return this.#windows.values();
  }

  /** Nothing is sent before. */
  gate(): number {
    return Math.max(this.#hint, ...[...this.#windows.values()].map((window) => window.gate));
  }

  /** Ms until a request may go. */
  check(now: number, waiting: number): number {
    let longest = this.#hint - now;
    for (const window of this.#windows.values()) longest = Math.max(longest, window.check(now, waiting));
    return Math.max(0, longest);
  }

  take(now: number): Turns {
    return new Map([...this.#windows.values()].map((window) => [window, window.take(now)]));
  }

  /** What asks that wait fail with, as long as the server asks for more than `maxHint`. */
  refusal(now: number): unknown {
    if (this.#hint - now <= this.#maxHint) return undefined;
    const seconds = Math.ceil((this.#hint - now) / 1000);
    return (
      this.#lastRejection?.error ??
      new LimiterError(`The server asks to wait ${seconds} s, longer than maxHint (${this.#maxHint / 1000} s); raise it to wait that long`)
    );
  }

  settle(turns: Turns, now: number, outcome: Outcome): Claim | undefined {
    if (outcome === 'unknown' || outcome.status === 0) {
      for (const [window, turn] of turns) window.lost(turn);
      return undefined;
    }
    const readings = this.#readings(outcome.headers, turns);
    if (outcome.status === 429) return this.#rejected(turns, now, outcome, readings);
    this.#passed(turns, now, readings);
    return undefined;
  }

  #passed(turns: Turns, now: number, readings: ReadonlyMap<WindowPacer, QuotaWindow>): void {
    this.#hints.passed();
    for (const [window, turn] of turns) {
      const reading = readings.get(window);
      if (reading) window.passed(turn, now, reading);
      // What has never announced a quota is a plain gate: any answer opens it.
      else if (readings.size === 0 && window.facts.quota === undefined) window.passed(turn, now, {});
      else window.spared(turn);
    }
  }

  #rejected(turns: Turns, now: number, answer: Answer, readings: ReadonlyMap<WindowPacer, QuotaWindow>): Claim {
    const culprit = culpritOf(turns, now, answer, readings);
    const reading = readings.get(culprit) ?? {};
    const asked = answer.headers && (retryAfter(answer.headers, wallClock()) ?? reading.reset);
    const wait = this.#hints.believe(asked, this.#hint - now);
    if (now + wait > this.#hint) {
      this.#hint = now + wait;
      this.#lastRejection = answer;
    }
    let claim: Claim = 'owned';
    for (const [window, turn] of turns) {
      if (turn.opening) claim = 'opening';
      if (window === culprit) window.rejected(turn, now, reading, wait);
      else window.lost(turn);
    }
    this.#closed();
    return claim;
  }

  /** What the headers say, by window; a window that is new gets a pacer, and a part in it for the request. */
  #readings(headers: HeadersLike | undefined, turns: Turns): Map<WindowPacer, QuotaWindow> {
    const readings = new Map<WindowPacer, QuotaWindow>();
    if (!headers || isCached(headers)) return readings;
    for (const reading of readRateLimit(headers, wallClock())) {
      const countsRequests = reading.unit === undefined || reading.unit === 'requests';
      if (reading.remaining === undefined || !countsRequests) continue;
      readings.set(this.#windowOf(`${reading.name ?? ''} ${reading.partition ?? ''}`, turns), reading);
    }
    return readings;
  }

  #windowOf(key: string, turns: Turns): WindowPacer {
    const unnamed = this.#windows.get('');
    // The first window that is announced takes over what was learned before.
    const window = this.#windows.get(key) ?? unnamed ?? new WindowPacer(this.#random, this.#closed);
    if (window === unnamed) this.#windows.delete('');
    this.#windows.use(key, window);
    if (!turns.has(window)) turns.set(window, window.take([...turns.values()][0]?.at ?? 0));
    return window;
  }
}

/** Which window said no: one that has nothing left; else the one whose reset is nearest to the wait; else the one with least left. */
function culpritOf(turns: Turns, now: number, answer: Answer, readings: ReadonlyMap<WindowPacer, QuotaWindow>): WindowPacer {
  const wait = (answer.headers && retryAfter(answer.headers, wallClock())) ?? 0;
  const guilt = (window: WindowPacer): readonly [number, number] => {
    const reading = readings.get(window);
    if (!reading) return [2, window.remaining(now)];
    return reading.remaining === 0 ? [0, -(reading.reset ?? 0)] : [1, Math.abs((reading.reset ?? Infinity) - wait)];
  };
  const [first, ...others] = turns.keys();
  if (!first) throw new TypeError('A request has a part in one window at least');
  return others.reduce((guiltiest, window) => {
    const [a, b] = [guilt(window), guilt(guiltiest)];
    return (a[0] - b[0] || a[1] - b[1]) < 0 ? window : guiltiest;
  }, first);
}
