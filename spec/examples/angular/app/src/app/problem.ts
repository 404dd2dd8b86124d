import { HttpErrorResponse } from '@angular/common/http';
import { Component, computed, input, output } from '@angular/core';
import { isDeadlineError, isHttpError, isLimiterError, isNetworkError, isTimeoutError, retryReport } from 'coldfetch';

/** An error in the user's words, and a way to try again. */
@Component({
  selector: 'app-problem',
  template: `
    <p>
      <strong>{{ text() }}</strong>
      @if (attempts() > 1) {
        <span>Tried {{ attempts() }} times.</span>
      }
    </p>
    <button type="button" (click)="again.emit()">Try again</button>
  `,
  host: { role: 'alert' },
  styleUrl: './problem.css',
})
export class Problem {
  readonly error = input.required<unknown>();
  readonly again = output();

  protected readonly text = computed(() => textOf(this.error()));
  protected readonly attempts = computed(() => retryReport(this.error())?.attempts ?? 1);
}

function textOf(error: unknown): string {
  if (statusOf(error) === 429 || isDeadlineError(error) || isLimiterError(error)) return 'The server is too busy just now';
  if (statusOf(error) > 0) return `The server answered with an error (${statusOf(error)})`;
  if (isNetworkError(error) || isTimeoutError(error) || error instanceof HttpErrorResponse) return 'The server cannot be reached';
  return 'Something went wrong';
}

/** Status of an `HttpError`, or of Angular's `HttpErrorResponse`; 0 where there was no answer. */
function statusOf(error: unknown): number {
  if (isHttpError(error)) return error.status;
  return error instanceof HttpErrorResponse ? error.status : 0;
}
