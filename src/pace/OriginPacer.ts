import type { HeadersLike } from '../headers/HeadersLike.js';
import { isCached } from '../headers/fields.js';
import type { QuotaWindow } from '../headers/QuotaWindow.js';
import { MAX_WINDOWS, readRateLimit } from '../headers/rateLimit/readRateLimit.js';
import { retryAfter } from '../headers/sources/retryAfter.js';
import { LimiterError } from '../request/errors/LimiterError.js';
import { formatDuration } from '../request/duration.js';
import { wallClock } from '../time.js';
import { OriginGates, type Passes } from './gate/OriginGates.js';
import { gateEstimate } from './gateEstimate.js';
import type { Ask, Estimate, Hold, Outcome, Refusal, ResponseOutcome } from './Limiter.js';
import { RecentMap } from './RecentMap.js';
import { type WindowPass, WindowPacer } from './window/WindowPacer.js';

/** Readings of a response that announces no quota. */
const NO_READINGS: ReadonlyMap<WindowPacer, QuotaWindow> = /* @__PURE__ */ new Map();

/** Passes of a request through the windows of its origin. */
export type WindowPasses = Map<WindowPacer, WindowPass>;

/** A request on its way: its passes through the windows, and through the gates. */
export interface Sent {
  readonly route: string;
  readonly windowPasses: WindowPasses;
  readonly gatePasses: Passes;
}

/** Options of an {@link OriginPacer}: those of the pacer. */
export interface OriginPacerOptions {
  readonly random: () => number;
  readonly maxHint: number;
  /** Requests that are sent before the first response has come. */
  readonly initial: number;
  /** Called when the waits have become longer. */
  readonly delayed: () => void;
}

/**
 * State of a pacer for one quota of an origin and credential: the windows that the origin announces, each of which learns this client's
 * share by itself, and the gates that a 429 closes.
 */
export class OriginPacer {
  readonly #options: OriginPacerOptions;
  readonly #gates: OriginGates;
  readonly #windows = new RecentMap<WindowPacer>(MAX_WINDOWS);
  /** Moment until which an announced quota is used up, and the refusal that announced it. */
  #usedUp = 0;
  #refusal: Refusal | undefined;

  constructor(options: OriginPacerOptions) {
    this.#options = options;
    this.#gates = new OriginGates(options.random);
    this.#windows.use('', this.#newWindow(options.initial));
  }

  get windows(): Iterable<WindowPacer> {
    return this.#windows.values();
  }

  /** Milliseconds until `ask` may go; `Infinity`: when a response has come. */
  check(ask: Ask, route: string, now: number, waiting: number): number {
    if (ask.plan === undefined) this.#requireShortWait(route, now);
    let longest = Math.max(this.#usedUp - now, this.#gates.check(ask, route, now));
    for (const window of this.#windows.values()) longest = Math.max(longest, window.check(now, waiting));
    return Math.max(0, longest);
  }

  /** True if a gate is closed, or an announced quota used up. */
  isHolding(now: number): boolean {
    return now < this.#usedUp || this.#gates.areClosed;
  }

  /** True if the gate of a route is closed. */
  isClosed(route: string): boolean {
    return this.#gates.refusalOf(route) !== undefined;
  }

  /** Throws the error that the ask's plan ends it with. */
  estimate(ask: Ask, route: string, ahead: number, now: number): Estimate {
    if (ask.plan === undefined) this.#requireShortWait(route, now);
    else if (this.#refusal && now < this.#usedUp) ask.plan(this.#refusal);
    const opens = Math.max(this.#usedUp, this.#gates.momentOf(ask, route, now), ...[...this.#windows.values()].map(({ gate }) => gate));
    const windows = [...this.#windows.values()].map((window) => ({
      quota: window.facts.quota,
      window: window.facts.window,
      remaining: window.remaining(now),
      ends: window.ends,
      clients: window.agreedClients,
    }));
    const source = this.#gates.refusalOf(route) ? 'gate' : 'rateLimit';
    return { ...gateEstimate(ahead, now, opens, windows), source, cause: this.#refusalOf(route, now)?.answer.error };
  }

  take(route: string, now: number): Sent {
    const windowPasses: WindowPasses = new Map();
    for (const window of this.#windows.values()) windowPasses.set(window, window.take(now));
    return { route, windowPasses, gatePasses: this.#gates.take(route, now) };
  }

  settle(sent: Sent, now: number, outcome: Outcome): Hold | undefined {
    const { windowPasses, gatePasses } = sent;
    if (outcome === 'unknown' || outcome.status === 0) {
      for (const [window, pass] of windowPasses) window.lost(pass);
      this.#gates.lost(gatePasses);
      return undefined;
    }
    const readings = this.#readings(outcome.headers, windowPasses);
    if (outcome.limited ?? outcome.status === 429) return this.#refused(sent, now, outcome, readings);
    if (outcome.status >= 500) this.#gates.lost(gatePasses);
    else this.#gates.passed(gatePasses, now);
    this.#passed(windowPasses, now, readings);
    return undefined;
  }

  #passed(passes: WindowPasses, now: number, readings: ReadonlyMap<WindowPacer, QuotaWindow>): void {
    for (const [window, pass] of passes) {
      const reading = readings.get(window);
      if (reading) window.passed(pass, now, reading);
      // A window that has never been announced lets all requests go, once it is known that requests pass.
      else if (readings.size === 0 && window.facts.quota === undefined) window.passed(pass, now, {});
      else window.uncounted(pass);
    }
  }

  #refused(sent: Sent, now: number, answer: ResponseOutcome, readings: ReadonlyMap<WindowPacer, QuotaWindow>): Hold {
    const { windowPasses, gatePasses, route } = sent;
    const asked = answer.delay === undefined ? answer.headers && retryAfter(answer.headers, wallClock()) : (answer.delay ?? undefined);
    const culprit = culpritOf(readings, asked);
    for (const [window, pass] of windowPasses) if (window !== culprit?.window) window.lost(pass);
    const pass = culprit && windowPasses.get(culprit.window);
    if (culprit && pass && culprit.reading.remaining === 0 && culprit.reading.reset !== undefined) {
      this.#gates.lost(gatePasses);
      return this.#exhausted(culprit.window, pass, now, culprit.reading, asked, answer);
    }
    if (culprit && pass) culprit.window.implausibleReset(pass, now, culprit.reading);
    const before = this.#gates.refusalOf(route);
    const hold = this.#gates.refused(gatePasses, route, now, asked, readings.size > 0, answer);
    if (isLonger(hold.refusal, before)) this.#options.delayed();
    return hold;
  }

  /** Notes that an announced quota is used up: a fact until its reset, or until the server's own delay, if that is sooner. */
  #exhausted(
    window: WindowPacer,
    pass: WindowPass,
    now: number,
    reading: QuotaWindow,
    asked: number | undefined,
    answer: ResponseOutcome,
  ): Hold {
    const reset = reading.reset ?? 0;
    const before = this.#usedUp;
    const wait = window.waitAfterRefusal(now, reset, asked);
    const counted = !pass.opening || now + reset <= before + 1;
    window.rejected(pass, now, reading, wait);
    this.#usedUp = Math.max(before, now + wait);
    const source = wait === asked ? answer.source : 'rateLimit';
    this.#refusal = { at: now, delay: this.#usedUp - now, until: this.#usedUp, source, binding: true, refusals: 1, run: 0, answer };
    this.#options.delayed();
    return { refusal: this.#refusal, counted, withdraw: () => undefined };
  }

  /** A wait beyond `maxHint` ends the asks without a policy of their own. */
  #requireShortWait(route: string, now: number): void {
    const { maxHint } = this.#options;
    const refusal = this.#refusalOf(route, now);
    if (!refusal || refusal.until - now <= maxHint) return;
    throw new LimiterError(
      `The server asks to wait ${formatDuration(refusal.until - now)}, longer than maxHint (${formatDuration(maxHint)}); raise it to wait that long`,
      {
        reason: 'max-hint',
        cause: refusal.answer.error,
      },
    );
  }

  /** The refusal that holds a route. */
  #refusalOf(route: string, now: number): Refusal | undefined {
    return now < this.#usedUp ? this.#refusal : this.#gates.refusalOf(route);
  }

  /** Readings of the header fields, by window; a window that is new gets a pacer, and the request a pass through it. */
  #readings(headers: HeadersLike | undefined, passes: WindowPasses): ReadonlyMap<WindowPacer, QuotaWindow> {
    const announced = headers ? readRateLimit(headers, wallClock()) : [];
    if (!headers || announced.length === 0 || isCached(headers)) return NO_READINGS;
    const readings = new Map<WindowPacer, QuotaWindow>();
    for (const reading of announced) {
      const countsRequests = reading.unit === undefined || reading.unit === 'requests';
      if (reading.remaining === undefined || !countsRequests) continue;
      readings.set(this.#windowOf(`${reading.name ?? ''} ${reading.partition ?? ''}`, passes), reading);
    }
    return readings;
  }

  #windowOf(key: string, passes: WindowPasses): WindowPacer {
    const unnamed = this.#windows.get('');
    // The first announced window takes over what was learned before.
    const window = this.#windows.get(key) ?? unnamed ?? this.#newWindow(1);
    if (window === unnamed) this.#windows.delete('');
    this.#windows.use(key, window);
    if (!passes.has(window)) passes.set(window, window.take([...passes.values()][0]?.at ?? 0));
    return window;
  }

  #newWindow(initial: number): WindowPacer {
    const { random, delayed, maxHint } = this.#options;
    return new WindowPacer(random, delayed, { initial, maxHint });
  }
}

/** True if a refusal is news to those who wait: a difference of up to a second is rounding. */
function isLonger({ until, refusals }: Refusal, before: Refusal | undefined): boolean {
  return refusals !== before?.refusals || until - before.until >= 1000;
}

/** A window, and the reading of it. */
interface Culprit {
  readonly window: WindowPacer;
  readonly reading: QuotaWindow;
}

/** The window that refused: one with nothing left; else the one whose reset is nearest to the wait. */
function culpritOf(readings: ReadonlyMap<WindowPacer, QuotaWindow>, wait = 0): Culprit | undefined {
  const guilt = ({ remaining, reset = Infinity }: QuotaWindow): readonly [number, number] =>
    remaining === 0 ? [0, -reset] : [1, Math.abs(reset - wait)];
  return [...readings].reduce<Culprit | undefined>((guiltiest, [window, reading]) => {
    if (!guiltiest) return { window, reading };
    const [a, b] = [guilt(reading), guilt(guiltiest.reading)];
    return (a[0] - b[0] || a[1] - b[1]) < 0 ? { window, reading } : guiltiest;
  }, undefined);
}
