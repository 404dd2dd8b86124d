import { Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { defaultIfEmpty, Subject, takeUntil } from 'rxjs';
import type { WaitEvent } from 'coldfetch';
import { bodyWithWaits, COLDFETCH } from 'coldfetch/angular';
import type { PhotoPage } from './api';
import { Picture } from './picture';
import { Problem } from './problem';
import { WaitNotice } from './wait-notice';

const PAGE_SIZE = 6;

/** Photographs, page by page. A page that is left while it loads, or this component, ends its request. */
@Component({
  selector: 'app-photo-list',
  imports: [Picture, Problem, WaitNotice],
  template: `
    <header>
      <h1>Archive</h1>
      <nav aria-label="Pages">
        <button type="button" [disabled]="page() === 1" (click)="page.set(page() - 1)">Previous</button>
        <span aria-live="polite">Page {{ page() }}{{ pages() === undefined ? '' : ' of ' + pages() }}</span>
        <button type="button" [disabled]="page() === pages()" (click)="page.set(page() + 1)">Next</button>
      </nav>
    </header>
    @if (wait(); as wait) {
      <app-wait-notice [wait]="wait" (cancelled)="cancel()" />
    }
    @if (photos.error(); as error) {
      <app-problem [error]="error" (again)="photos.reload()" />
    } @else if (isCancelled()) {
      <p class="empty">
        Page {{ page() }} was not loaded.
        <button type="button" (click)="photos.reload()">Load it</button>
      </p>
    } @else {
      <ul [attr.aria-busy]="photos.isLoading()">
        @for (photo of shown(); track photo?.id ?? $index) {
          <li>
            @if (photo) {
              <app-picture [seed]="photo.id" />
              <h2>{{ photo.title }}</h2>
              <p class="muted">{{ photo.year }}</p>
            } @else {
              <div class="blank picture"></div>
              <div class="blank line"></div>
            }
          </li>
        }
      </ul>
    }
  `,
  styleUrl: './photo-list.css',
})
export class PhotoList {
  readonly #http = inject(COLDFETCH);
  readonly #cancel = new Subject<void>();

  protected readonly page = signal(1);
  protected readonly wait = signal<WaitEvent | undefined>(undefined);
  protected readonly photos = rxResource({
    params: this.page,
    stream: ({ params: page }) =>
      this.#http.get<PhotoPage>('photos', { params: { page }, observe: 'events' }).pipe(
        bodyWithWaits(this.wait),
        takeUntil(this.#cancel),
        // A resource demands a value.
        defaultIfEmpty(undefined),
      ),
  });
  readonly #loaded = computed(() => (this.photos.hasValue() ? this.photos.value() : undefined));
  protected readonly isCancelled = computed(() => this.photos.status() === 'resolved' && this.#loaded() === undefined);
  /** Photographs of the page, or as many blanks while it loads. */
  protected readonly shown = computed(() => this.#loaded()?.photos ?? Array.from({ length: PAGE_SIZE }, () => undefined));
  /** Number of pages as last told. */
  protected readonly pages = linkedSignal<PhotoPage | undefined, number | undefined>({
    source: this.#loaded,
    computation: (loaded, previous) => loaded?.pages ?? previous?.value,
  });

  protected cancel(): void {
    this.#cancel.next();
  }
}
