import { Component, computed, input, output } from '@angular/core';
import { BytesPipe } from './bytes.pipe';
import { Problem } from './problem';
import type { Upload } from './upload';
import { WaitNotice } from './wait-notice';

@Component({
  selector: 'app-upload-row',
  imports: [BytesPipe, Problem, WaitNotice],
  template: `
    <header>
      <h3>{{ upload().file.name }}</h3>
      <p class="muted">
        @switch (upload().state()) {
          @case ('queued') {
            Queued
          }
          @case ('sending') {
            {{ upload().loaded() | bytes }} of {{ upload().file.size | bytes }}
          }
          @case ('done') {
            <span class="done">Done</span>, {{ upload().file.size | bytes }}
          }
          @case ('cancelled') {
            Cancelled
          }
          @case ('failed') {
            Failed
          }
        }
      </p>
      @if (!upload().isOver() && !upload().wait()) {
        <button type="button" (click)="upload().cancel()">
          Cancel<span class="visually-hidden"> {{ upload().file.name }}</span>
        </button>
      } @else if (upload().state() === 'cancelled') {
        <button type="button" (click)="again.emit()">
          Send<span class="visually-hidden"> {{ upload().file.name }}</span>
        </button>
      }
    </header>
    @if (upload().wait(); as wait) {
      <app-wait-notice [wait]="wait" (cancelled)="upload().cancel()" />
    } @else if (upload().state() === 'failed') {
      <app-problem [error]="upload().error()" (again)="again.emit()" />
    } @else if (upload().state() === 'sending') {
      <progress [value]="share()" max="1" [attr.aria-label]="upload().file.name"></progress>
    }
  `,
  styleUrl: './upload-row.css',
})
export class UploadRow {
  readonly upload = input.required<Upload>();
  readonly again = output();

  protected readonly share = computed(() => this.upload().loaded() / Math.max(1, this.upload().file.size));
}
