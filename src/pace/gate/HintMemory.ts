/** First and longest wait after a refusal, in ms, where neither the server nor a policy names one. */
const BACKOFF = { first: 1000, longest: 60_000 };

/** Memory of the delays that a server asks for: the second zero in a row does not count. */
export class HintMemory {
  #zero = false;

  /** The delay that counts, in ms; `undefined` where none does. */
  accepted(delay: number | undefined): number | undefined {
    const ignored = delay === 0 && this.#zero;
    if (delay !== undefined) this.#zero = delay === 0;
    return ignored ? undefined : delay;
  }

  /** Forgets the last zero: a request has passed. */
  clear(): void {
    this.#zero = false;
  }
}

/**
 * Wait of a gate's own, in ms: 1 s x 2^index with jitter, at most 60 s.
 *
 * @param random draws from 0 up to 1
 */
export function gateBackoff(index: number, random: () => number): number {
  return Math.min(BACKOFF.first * 2 ** index, BACKOFF.longest) * (0.5 + random() / 2);
}
