/** What a roll call found. */
interface Call {
  /** When it was sent, 0 to 1 of the slot. */
  readonly moment: number;
  /** Requests of the window that had been used, itself included. */
  readonly used: number;
}

/** Calls that are remembered; a line takes three. */
const MOST = 8;
const FEWEST = 3;

/** Standard errors from which on it is not chance. */
const SIGNIFICANT = 3;

/**
 * Finds those who take from a window as soon as it opens and answer no roll call: the line through what the calls found, by the moment at
 * which each was sent, does not begin at zero.
 */
export class Strangers {
  #calls: readonly Call[] = [];
  #requests = 0;

  /** Requests that they take from a window, 0 as long as it may be chance. */
  get requests(): number {
    return this.#requests;
  }

  learn(moment: number, used: number): void {
    this.#calls = [...this.#calls, { moment, used }].slice(-MOST);
    this.#requests = this.#calls.length < FEWEST ? 0 : takenAtOnce(this.#calls);
  }
}

/** Where the line of least squares begins, if that is far enough from zero; never more than any of the calls found before itself. */
function takenAtOnce(calls: readonly Call[]): number {
  const mean = (of: (call: Call) => number): number => calls.reduce((sum, call) => sum + of(call), 0) / calls.length;
  const moment = mean((call) => call.moment);
  const used = mean((call) => call.used);
  const spread = mean((call) => (call.moment - moment) ** 2);
  const clients = mean((call) => (call.moment - moment) * (call.used - used)) / spread;
  const atOnce = used - clients * moment;
  const misses = calls.reduce((sum, call) => sum + (call.used - atOnce - clients * call.moment) ** 2, 0);
  // Whether a client comes before another is a coin toss, so the line misses by chance even where it seems not to.
  const variance = Math.max(1, clients / 4, misses / (calls.length - 2));
  const error = Math.sqrt((variance * (1 + moment ** 2 / spread)) / calls.length);
  if (!(atOnce > SIGNIFICANT * error)) return 0;
  return Math.floor(Math.min(atOnce, ...calls.map((call) => call.used - 1)));
}
