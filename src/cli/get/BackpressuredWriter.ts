import { defaultIfEmpty, defer, EMPTY, firstValueFrom, fromEvent, ignoreElements, merge, type Observable, ReplaySubject, take } from 'rxjs';
import type { Output } from '../Io.js';

/** Writer of data to an output whose buffer can be full, and whose reader may leave (a pipe to `head`). */
export class BackpressuredWriter {
  /** Emits once the reader has left, also to late subscribers. */
  readonly closed$: Observable<unknown>;
  /** Completes when the buffer has room. */
  readonly drained$: Observable<never>;
  /** True if a person reads on a terminal: data is shown there, not handed on. */
  readonly isTerminal: boolean;
  readonly #output: Output;
  #isFull = false;

  constructor(output: Output) {
    const closed$ = new ReplaySubject<unknown>(1);
    merge(fromEvent(output, 'error'), fromEvent(output, 'close')).pipe(take(1)).subscribe(closed$);
    const drain$ = merge(fromEvent(output, 'drain'), closed$).pipe(take(1), ignoreElements());
    this.#output = output;
    this.isTerminal = output.isTTY === true;
    this.closed$ = closed$.asObservable();
    this.drained$ = defer(() => (this.#isFull ? drain$ : EMPTY));
  }

  /** Writes at once, whether or not the buffer has room. */
  write(data: string | Uint8Array): void {
    if (this.#output.write(data) || this.#isFull) return;
    this.#isFull = true;
    this.#output.once('drain', () => (this.#isFull = false));
  }

  /** The same stream with the backpressure of this output: a chunk is passed on when the buffer has room. */
  backpressure(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const transform = async (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
      await firstValueFrom(this.drained$.pipe(defaultIfEmpty(undefined)));
      controller.enqueue(chunk);
    };
    return stream.pipeThrough(new TransformStream({ transform }));
  }
}
