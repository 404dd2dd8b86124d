/** `'closed'`: requests pass; `'open'`: none; `'half-open'`: a probe is on its way. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Conditions under which a circuit opens, and the time for which it stays open. */
export interface CircuitRules {
  readonly consecutiveFailures: number;
  readonly failureRatio: number;
  readonly minimumThroughput: number;
  readonly samplingDuration: number;
  readonly breakDuration: number;
  readonly random: () => number;
}

/** Largest factor of the open time: the longer the circuit is open, the later a recovered server is noticed. */
const LONGEST = 4;
/** Number of parts in which samples are kept; the oldest part is dropped as a whole. */
const PARTS = 10;

/** Pass of one request through the circuit. */
export interface Pass {
  readonly probe: boolean;
  /** Number of times that the circuit had opened by then. */
  readonly openings: number;
}

interface Part {
  readonly begins: number;
  requests: number;
  failures: number;
}

/** The circuit of one origin. */
export class BreakerCircuit {
  readonly #rules: CircuitRules;
  #state: BreakerState = 'closed';
  #failuresInRow = 0;
  #parts: Part[] = [];
  /** Number of times that the circuit has opened, in all and since it was last closed. */
  #openings = 0;
  #inRow = 0;
  #until = 0;
  #probing = false;

  constructor(rules: CircuitRules) {
    this.#rules = rules;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Milliseconds until a request may go. */
  check(now: number): number {
    if (this.#state === 'closed') return 0;
    return this.#probing ? Infinity : Math.max(0, this.#until - now);
  }

  take(now: number): Pass {
    const probe = this.#state !== 'closed' && now >= this.#until;
    if (probe) {
      this.#state = 'half-open';
      this.#probing = true;
    }
    return { probe, openings: this.#openings };
  }

  /** Requests that were sent before the circuit last opened prove nothing about a server that has recovered since. */
  settle({ probe, openings }: Pass, kind: 'success' | 'failure' | 'neither', now: number): void {
    if (probe) this.#settleProbe(kind, now);
    else if (this.#state === 'closed' && openings === this.#openings && kind !== 'neither') this.#count(kind === 'failure', now);
  }

  #settleProbe(kind: 'success' | 'failure' | 'neither', now: number): void {
    this.#probing = false;
    if (kind === 'success') {
      this.#state = 'closed';
      this.#inRow = 0;
      this.#failuresInRow = 0;
      this.#parts = [];
    } else if (kind === 'failure') {
      this.#open(now);
    }
  }

  #count(failed: boolean, now: number): void {
    const { consecutiveFailures, failureRatio, minimumThroughput, samplingDuration } = this.#rules;
    this.#failuresInRow = failed ? this.#failuresInRow + 1 : 0;
    this.#parts = this.#parts.filter((part) => part.begins > now - samplingDuration);
    let part = this.#parts.at(-1);
    if (!part || part.begins <= now - samplingDuration / PARTS) this.#parts.push((part = { begins: now, requests: 0, failures: 0 }));
    part.requests++;
    if (failed) part.failures++;
    const requests = this.#parts.reduce((sum, each) => sum + each.requests, 0);
    const failures = this.#parts.reduce((sum, each) => sum + each.failures, 0);
    const tooMany = requests >= minimumThroughput && failures >= failureRatio * requests;
    if (failed && (this.#failuresInRow >= consecutiveFailures || tooMany)) this.#open(now);
  }

  #open(now: number): void {
    const longest = this.#rules.breakDuration * Math.min(LONGEST, 2 ** this.#inRow++);
    this.#openings++;
    this.#state = 'open';
    this.#until = now + longest * (0.5 + this.#rules.random() / 2);
  }
}
