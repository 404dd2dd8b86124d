import type { Ask, Hold, Refusal, ResponseOutcome } from '../Limiter.js';
import { RecentMap } from '../RecentMap.js';
import { Gate, type Pass } from './Gate.js';

/** Most routes of an origin that have a gate; the least recently used are dropped. */
const MAX_ROUTES = 64;

/** Pass of one request through one gate. */
interface GatePass {
  readonly gate: Gate;
  readonly pass: Pass;
}

/** Passes of one request: through the gate of all, and that of its route, where it has one. */
export type Passes = readonly GatePass[];

/**
 * The gates of one origin, credential and quota name: one for all requests, and one for each route that has been refused.
 *
 * A refusal that announces its quota closes the gate for all who share the quota. A refusal that announces nothing does not show whether
 * the limit is the host's: it closes the gate of its route, and a second route that is refused meanwhile makes it the gate of all, from
 * then on.
 */
export class OriginGates {
  readonly #random: () => number;
  readonly #all: Gate;
  readonly #onlyAll: readonly Gate[];
  #routes = new RecentMap<Gate>(MAX_ROUTES);
  /** True if the routes have proved to share their limit. */
  #shared = false;

  /** @param random draws from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
    this.#all = new Gate(random);
    this.#onlyAll = [this.#all];
  }

  /** Milliseconds until `ask` may go; `Infinity`: when a response has come. */
  check(ask: Ask, route: string, now: number): number {
    return this.#of(route).reduce((longest, gate) => Math.max(longest, gate.check(ask, now)), 0);
  }

  /** True if any gate is closed. */
  get areClosed(): boolean {
    return this.#all.refusal !== undefined || [...this.#routes.values()].some(({ refusal }) => refusal !== undefined);
  }

  /** The refusal that holds the route longest. */
  refusalOf(route: string): Refusal | undefined {
    return this.#of(route)
      .flatMap(({ refusal }) => refusal ?? [])
      .reduce<Refusal | undefined>((longest, one) => (longest && longest.until >= one.until ? longest : one), undefined);
  }

  /** Moment from which `ask` may be sent. Throws the error that the ask's plan ends it with. */
  momentOf(ask: Ask, route: string, now: number): number {
    return this.#of(route).reduce((latest, gate) => Math.max(latest, gate.momentOf(ask, now)), 0);
  }

  take(route: string, now: number): Passes {
    return this.#of(route).map((gate) => ({ gate, pass: gate.take(now) }));
  }

  lost(passes: Passes): void {
    for (const { gate, pass } of passes) gate.lost(pass);
  }

  passed(passes: Passes, now: number): void {
    for (const { gate, pass } of passes) gate.passed(pass, now);
  }

  /**
   * Closes the gate of a route, or of all.
   *
   * @param delay the server's delay in ms, where it asks for one
   * @param announced true if the response announces its quota
   */
  refused(passes: Passes, route: string, now: number, delay: number | undefined, announced: boolean, answer: ResponseOutcome): Hold {
    const gate = announced || this.#shared ? this.#all : this.#gateOf(route);
    for (const { gate: other, pass } of passes) if (other !== gate) other.lost(pass);
    // A request that was sent before its route had a gate has no pass of that gate, only one of the gate of all.
    const sent = passOf(passes, this.#all);
    if (sent) gate.measured(now - sent.at);
    const hold = gate.refused(passOf(passes, gate), now, delay, answer);
    if (gate !== this.#all && this.#isRefusedBeside(gate)) this.#share();
    return hold;
  }

  #of(route: string): readonly Gate[] {
    const own = this.#routes.get(route);
    return own ? [this.#all, own] : this.#onlyAll;
  }

  #gateOf(route: string): Gate {
    return this.#routes.use(route, this.#routes.get(route) ?? new Gate(this.#random));
  }

  #isRefusedBeside(gate: Gate): boolean {
    return [...this.#routes.values()].some((other) => other !== gate && other.refusal !== undefined);
  }

  #share(): void {
    this.#shared = true;
    for (const { refusal } of this.#routes.values()) if (refusal) this.#all.join(refusal);
    this.#routes = new RecentMap<Gate>(MAX_ROUTES);
  }
}

function passOf(passes: Passes, gate: Gate): Pass | undefined {
  return passes.find((each) => each.gate === gate)?.pass;
}
