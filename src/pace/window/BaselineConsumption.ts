/** One probe of an opened window, with the consumption that its response showed. */
interface Probe {
  /** Moment at which the probe was sent, 0 to 1 of the slot. */
  readonly moment: number;
  /** Requests of the window that had been used, the probe included. */
  readonly used: number;
}

/** Most probes that are remembered, and fewest that a line is drawn through. */
const MOST = 8;
const FEWEST = 3;

/** Standard errors from which on an offset is not chance. */
const SIGNIFICANT = 3;

/**
 * Consumption by clients that take from a window as soon as it opens and send no probe. The regression line through the used requests that
 * the probes found, by the moment at which each was sent, then does not begin at zero.
 */
export class BaselineConsumption {
  #probes: readonly Probe[] = [];
  #requests = 0;

  /** Requests taken from a window; 0 as long as the offset may be chance. */
  get requests(): number {
    return this.#requests;
  }

  learn(moment: number, used: number): void {
    this.#probes = [...this.#probes, { moment, used }].slice(-MOST);
    this.#requests = this.#probes.length < FEWEST ? 0 : significantIntercept(this.#probes);
  }
}

/** Intercept of the line of least squares, if it is far enough from zero; never more than any of the probes found used before itself. */
function significantIntercept(probes: readonly Probe[]): number {
  const mean = (value: (probe: Probe) => number): number => probes.reduce((sum, probe) => sum + value(probe), 0) / probes.length;
  const moment = mean((probe) => probe.moment);
  const used = mean((probe) => probe.used);
  const spread = mean((probe) => (probe.moment - moment) ** 2);
  const clients = mean((probe) => (probe.moment - moment) * (probe.used - used)) / spread;
  const intercept = used - clients * moment;
  const misses = probes.reduce((sum, probe) => sum + (probe.used - intercept - clients * probe.moment) ** 2, 0);
  // Chance decides whether a client comes before another, so the variance has a floor even where the line seems not to miss.
  const variance = Math.max(1, clients / 4, misses / (probes.length - 2));
  const error = Math.sqrt((variance * (1 + moment ** 2 / spread)) / probes.length);
  if (!(intercept > SIGNIFICANT * error)) return 0;
  return Math.floor(Math.min(intercept, ...probes.map((probe) => probe.used - 1)));
}
