/** Shortest part of the axis that can be shown, in ms: the limit of magnification. */
const SHORTEST = 5;

/** The part of the axis that is shown. */
export class Zoom {
  from = 0;
  until: number;
  #end: number;
  readonly #changed: () => void;

  /** @param changed called after each change */
  constructor(end: number, changed: () => void) {
    this.#end = Math.max(end, SHORTEST);
    this.until = this.#end;
    this.#changed = changed;
  }

  /** The last moment of the axis. */
  get end(): number {
    return this.#end;
  }

  /** True if all of the axis is shown. */
  get isWhole(): boolean {
    return this.from <= 0 && this.until >= this.#end;
  }

  /** Makes the axis longer, as the upload goes on; all of it stays shown if it was. */
  extend(end: number): void {
    const wasWhole = this.isWhole;
    this.#end = Math.max(end, SHORTEST);
    if (wasWhole) this.until = this.#end;
  }

  /** Shows a part, as far as it lies on the axis. */
  show(from: number, until: number): void {
    const length = Math.min(Math.max(until - from, SHORTEST), this.#end);
    this.from = Math.min(Math.max(from, 0), this.#end - length);
    this.until = this.from + length;
    this.#changed();
  }

  /**
   * Shows a longer or shorter part.
   *
   * @param factor by which its length is multiplied
   * @param at the moment that stays in its place; the middle by default
   */
  scale(factor: number, at = (this.from + this.until) / 2): void {
    this.show(at - (at - this.from) * factor, at + (this.until - at) * factor);
  }

  /** Moves along the axis by a share of the part that is shown. */
  pan(share: number): void {
    const by = (this.until - this.from) * share;
    this.show(this.from + by, this.until + by);
  }

  /** Shows all of the axis. */
  reset(): void {
    this.show(0, this.#end);
  }
}
