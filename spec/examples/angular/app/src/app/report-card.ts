import { DecimalPipe } from '@angular/common';
import { httpResource } from '@angular/common/http';
import { Component, signal } from '@angular/core';
import type { WaitEvent } from 'coldfetch';
import { waitsTo } from 'coldfetch/angular';
import type { Report } from './api';
import { Problem } from './problem';
import { WaitNotice } from './wait-notice';

/** Report of the day, by Angular's own client: it waits by the same policy, and shows its own waits. */
@Component({
  selector: 'app-report-card',
  imports: [DecimalPipe, Problem, WaitNotice],
  template: `
    <section aria-labelledby="report">
      <h2 id="report">Today</h2>
      @if (wait(); as wait) {
        <app-wait-notice [wait]="wait" (cancelled)="report.set(undefined)" />
      } @else if (report.error(); as error) {
        <app-problem [error]="error" (again)="report.reload()" />
      } @else if (report.hasValue()) {
        @let today = report.value();
        <dl>
          <div>
            <dt>Photographs</dt>
            <dd>{{ today.photos | number }}</dd>
          </div>
          <div>
            <dt>Visitors</dt>
            <dd>{{ today.visitors | number }}</dd>
          </div>
          <div>
            <dt>Busiest hour</dt>
            <dd>{{ today.busiest }}</dd>
          </div>
        </dl>
      } @else if (report.isLoading()) {
        <p class="muted">Counting …</p>
      } @else {
        <button type="button" (click)="report.reload()">Show the report</button>
      }
    </section>
  `,
  styleUrl: './report-card.css',
})
export class ReportCard {
  protected readonly wait = signal<WaitEvent | undefined>(undefined);
  protected readonly report = httpResource<Report>(() => ({ url: '/api/report', context: waitsTo(this.wait) }));
}
