/**
 * An AbortController that is made when its signal is first asked for. Making one costs a request more than its header fields do, and a
 * request that goes by a dispatcher needs none, unless its body is made by a function or sent as a stream.
 */
export class LazyController implements AbortController {
  #made: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (!this.#made) {
      this.#made = new AbortController();
      if (this.#aborted) this.#made.abort(this.#aborted.reason);
    }
    return this.#made.signal;
  }

  abort(reason?: unknown): void {
    this.#aborted ??= { reason };
    this.#made?.abort(reason);
  }
}
