import { defaultIfEmpty, defer, EMPTY, firstValueFrom, fromEvent, ignoreElements, merge, type Observable, ReplaySubject, take } from 'rxjs';
import type { Output } from '../Io.js';

/** An output for data, safe to pipe: it can be full, and whoever reads it may leave. */
export class Outlet {
  /** Emits when nobody reads any more, also to whoever subscribes later. */
  readonly gone$: Observable<unknown>;
  /** Completes when there is room. */
  readonly room$: Observable<never>;
  readonly #output: Output;
  #full = false;

  constructor(output: Output) {
    const gone$ = new ReplaySubject<unknown>(1);
    merge(fromEvent(output, 'error'), fromEvent(output, 'close')).pipe(take(1)).subscribe(gone$);
    const roomAgain$ = merge(fromEvent(output, 'drain'), gone$).pipe(take(1), ignoreElements());
    this.#output = output;
    this.gone$ = gone$.asObservable();
    this.room$ = defer(() => (this.#full ? roomAgain$ : EMPTY));
  }

  /** Writes at once, whether or not there is room. */
  put(data: string | Uint8Array): void {
    if (this.#output.write(data) || this.#full) return;
    this.#full = true;
    this.#output.once('drain', () => (this.#full = false));
  }

  /** Passes a stream on as fast as this output takes what its chunks are made into: the next one waits for room. */
  inStep(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const transform = async (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
      await firstValueFrom(this.room$.pipe(defaultIfEmpty(undefined)));
      controller.enqueue(chunk);
    };
    return stream.pipeThrough(new TransformStream({ transform }));
  }
}
