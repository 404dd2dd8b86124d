import { signal } from '@angular/core';
import { catchError, defer, EMPTY, finalize, type Observable, Subject, takeUntil, tap } from 'rxjs';
import type { HttpEvent, WaitEvent } from 'coldfetch';
import type { ColdfetchClient } from 'coldfetch/angular';

export type UploadState = 'queued' | 'sending' | 'done' | 'failed' | 'cancelled';

/** One file on its way, as signals. */
export class Upload {
  readonly state = signal<UploadState>('queued');
  /** Bytes that have left. */
  readonly loaded = signal(0);
  readonly wait = signal<WaitEvent | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  readonly #cancel = new Subject<void>();

  constructor(readonly file: File) {}

  /** Sends the file; completes when it has arrived, failed or been cancelled. */
  send(http: ColdfetchClient, album: string): Observable<HttpEvent> {
    return defer(() => {
      if (this.state() !== 'queued') return EMPTY;
      this.state.set('sending');
      const params = { name: this.file.name, album };
      return http.post('photos', this.file, { params, observe: 'events' }).pipe(
        tap({ next: (event) => this.#show(event), error: (error: unknown) => this.#end('failed', error) }),
        catchError(() => EMPTY),
        takeUntil(this.#cancel),
        finalize(() => this.wait.set(undefined)),
      );
    });
  }

  cancel(): void {
    if (this.isOver()) return;
    this.#end('cancelled');
    this.#cancel.next();
  }

  /** Makes it ready to be sent again. */
  reset(): void {
    this.#end('queued');
    this.loaded.set(0);
  }

  isOver(): boolean {
    return !['queued', 'sending'].includes(this.state());
  }

  #show(event: HttpEvent): void {
    this.wait.set(event.type === 'wait' ? event : undefined);
    if (event.type === 'sent') this.loaded.set(0);
    if (event.type === 'upload') this.loaded.set(event.loaded);
    if (event.type === 'response') this.#end('done');
  }

  #end(state: UploadState, error?: unknown): void {
    this.state.set(state);
    this.error.set(error);
  }
}
