import type { Observable, Subscription } from 'rxjs';
import { frameNow } from '../diagrams/marbleTime.js';
import { SyncPromise } from './SyncPromise.js';

/** Result of a read of a body. */
export type BodyRead = { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value: undefined };

/** The part of a reader that reading needs. */
export interface VirtualReader {
  readonly closed: SyncPromise<undefined>;
  read(): SyncPromise<BodyRead>;
  cancel(reason?: unknown): SyncPromise<undefined>;
  releaseLock(): void;
}

interface PendingRead {
  resolve(read: BodyRead): void;
  reject(reason: unknown): void;
}

/** End of a body: the reason why it gives no more bytes. */
type End = { readonly kind: 'closed' } | { readonly kind: 'failed'; readonly reason: unknown };

/**
 * A body of virtual time: its reads settle at once. Its bytes come from an observable that is subscribed by the first read, and
 * unsubscribed by `cancel`.
 */
export class VirtualBody {
  /** Moment at which `cancel` was called, in ms of the virtual clock. */
  cancelledAt: number | undefined;
  /** True if the body was read from or cancelled. */
  disturbed = false;
  readonly #chunks$: Observable<Uint8Array>;
  #reader: VirtualReader | undefined;
  #source: Subscription | undefined;
  #signal: AbortSignal | undefined;
  #lost: (() => void) | undefined;
  #end: End | undefined;
  readonly #queue: Uint8Array[] = [];
  readonly #reads: PendingRead[] = [];
  readonly #whenClosed: PendingRead[] = [];

  constructor(chunks$: Observable<Uint8Array>) {
    this.#chunks$ = chunks$;
  }

  /** The chunks, untouched by reading: a clone reads them. */
  get chunks$(): Observable<Uint8Array> {
    return this.#chunks$;
  }

  get locked(): boolean {
    return this.#reader !== undefined;
  }

  /** Fails reads with the signal's reason once it aborts, like those of `fetch`; `lost` is called if the body is being read. */
  failWith(signal: AbortSignal, lost: () => void): void {
    this.#signal = signal;
    this.#lost = lost;
  }

  getReader(): VirtualReader {
    if (this.#reader) throw new TypeError('The body is locked: somebody else reads it');
    const reader: VirtualReader = {
      closed: new SyncPromise((resolve, reject) => {
        this.#whenClosed.push({ resolve: () => resolve(undefined), reject });
      }),
      read: () => (this.#reader === reader ? this.#read() : SyncPromise.reject(released())),
      cancel: (reason) => (this.#reader === reader ? this.#cancel(reason) : SyncPromise.reject(released())),
      releaseLock: () => {
        if (this.#reader !== reader) return;
        this.#reader = undefined;
        for (const read of this.#reads.splice(0)) read.reject(released());
      },
    };
    this.#reader = reader;
    this.#serve();
    return reader;
  }

  cancel(reason?: unknown): SyncPromise<undefined> {
    return this.locked ? SyncPromise.reject(new TypeError('The body is locked: its reader has to cancel it')) : this.#cancel(reason);
  }

  #read(): SyncPromise<BodyRead> {
    this.disturbed = true;
    this.#start();
    return new SyncPromise((resolve, reject) => {
      this.#reads.push({ resolve, reject });
      this.#serve();
    });
  }

  #cancel(_reason: unknown): SyncPromise<undefined> {
    if (this.#end?.kind === 'failed') return SyncPromise.reject(this.#end.reason);
    this.disturbed = true;
    this.cancelledAt ??= frameNow();
    this.#queue.length = 0;
    this.#finish({ kind: 'closed' });
    return SyncPromise.resolve(undefined);
  }

  #start(): void {
    const signal = this.#signal;
    if (signal?.aborted) this.#abort();
    if (this.#end || this.#source) return;
    signal?.addEventListener('abort', this.#abort);
    this.#source = this.#chunks$.subscribe({
      next: (chunk) => {
        this.#queue.push(chunk);
        this.#serve();
      },
      error: (reason: unknown) => this.#finish({ kind: 'failed', reason }),
      complete: () => this.#finish({ kind: 'closed' }),
    });
    // A source may end while it is being subscribed.
    if (this.#end as End | undefined) this.#source.unsubscribe();
  }

  readonly #abort = (): void => {
    this.#queue.length = 0;
    this.#lost?.();
    this.#finish({ kind: 'failed', reason: this.#signal?.reason });
  };

  #finish(end: End): void {
    if (this.#end) return;
    this.#end = end;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#source?.unsubscribe();
    this.#serve();
  }

  #serve(): void {
    while (this.#reads.length > 0) {
      const value = this.#queue.shift();
      if (!value && !this.#end) return;
      const read = this.#reads.shift();
      if (value) read?.resolve({ done: false, value });
      else if (this.#end?.kind === 'failed') read?.reject(this.#end.reason);
      else read?.resolve({ done: true, value: undefined });
    }
    if (!this.#end || this.#queue.length > 0) return;
    for (const closed of this.#whenClosed.splice(0)) {
      if (this.#end.kind === 'failed') closed.reject(this.#end.reason);
      else closed.resolve({ done: true, value: undefined });
    }
  }
}

function released(): TypeError {
  return new TypeError('The reader has released its lock');
}
