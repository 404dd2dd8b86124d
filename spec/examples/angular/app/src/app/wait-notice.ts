import { DatePipe } from '@angular/common';
import { Component, computed, input, output } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { interval, map } from 'rxjs';
import type { WaitEvent } from 'coldfetch';

/** The reason for which a request waits, and a countdown; screen readers hear of it once, with the time of day instead. */
@Component({
  selector: 'app-wait-notice',
  imports: [DatePipe],
  template: `
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle class="track" cx="18" cy="18" r="15.9155" />
      <circle class="left" cx="18" cy="18" r="15.9155" pathLength="100" [attr.stroke-dasharray]="share() + ' 100'" />
      @if (isTimed()) {
        <text x="18" y="18">{{ seconds() }}</text>
      }
    </svg>
    <p aria-hidden="true">
      <strong>{{ reason() }}</strong>
      @if (isTimed()) {
        <span>next try in {{ seconds() }} s</span>
      } @else {
        <span>goes on when you are back</span>
      }
    </p>
    <p class="visually-hidden" role="status">
      {{ reason() }}, {{ isTimed() ? 'next try at ' + (wait().until | date: 'mediumTime') : 'goes on when you are back' }}
    </p>
    <button type="button" (click)="cancelled.emit()">Cancel<span class="visually-hidden"> waiting</span></button>
  `,
  styleUrl: './wait-notice.css',
})
export class WaitNotice {
  readonly wait = input.required<WaitEvent>();
  readonly cancelled = output();

  readonly #now = toSignal(interval(200).pipe(map(() => Date.now())), { initialValue: Date.now() });
  readonly #left = computed(() => Math.max(0, this.wait().until - this.#now()));
  protected readonly isTimed = computed(() => this.wait().kind !== 'offline');
  protected readonly seconds = computed(() => Math.ceil(this.#left() / 1000));
  protected readonly share = computed(() => (this.isTimed() ? Math.min(100, (100 * this.#left()) / this.wait().delay) : 100));
  protected readonly reason = computed(() => reasonOf(this.wait()));
}

function reasonOf({ kind, status }: WaitEvent): string {
  if (kind === 'offline') return 'Offline';
  if (status === 429) return 'Rate-limited';
  return status === undefined ? 'Waiting for its turn' : `The server has a problem (${status})`;
}
