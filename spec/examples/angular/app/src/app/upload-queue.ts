import { computed, inject, Injectable, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { mergeMap, Subject } from 'rxjs';
import { Upload } from './upload';
import { UPLOADS } from './uploads-client';

const AT_ONCE = 2;

/** Uploads of a page, two at a time. They end with the component that provides it. */
@Injectable()
export class UploadQueue {
  readonly #http = inject(UPLOADS);
  readonly #added = new Subject<{ readonly upload: Upload; readonly album: string }>();
  readonly #uploads = signal<readonly Upload[]>([]);

  readonly uploads = this.#uploads.asReadonly();
  /** Number of those that are not over. */
  readonly open = computed(() => this.#uploads().filter((upload) => !upload.isOver()).length);

  constructor() {
    this.#added
      .pipe(
        mergeMap(({ upload, album }) => upload.send(this.#http, album), AT_ONCE),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  add(files: Iterable<File>, album: string): void {
    for (const file of files) {
      const upload = new Upload(file);
      this.#uploads.update((uploads) => [...uploads, upload]);
      this.#added.next({ upload, album });
    }
  }

  again(upload: Upload, album: string): void {
    upload.reset();
    this.#added.next({ upload, album });
  }

  cancelAll(): void {
    // From the end: what is queued must not begin because another has ended.
    for (const upload of [...this.#uploads()].reverse()) upload.cancel();
  }
}
