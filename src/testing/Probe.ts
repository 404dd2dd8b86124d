import { Observable, type Subscription } from 'rxjs';
import type { TestScheduler } from 'rxjs/testing';
import { UsageError } from '../request/errors/UsageError.js';
import { elapsed } from '../time.js';
import type { Difference } from './compareMoments.js';
import type { Site } from './ExpectationError.js';
import type { Moment } from './Moment.js';
import { parseSpan } from './parseMarbles.js';

/** How a comparison came out, and how to draw it. */
export interface Verdict {
  readonly difference: Difference | undefined;
  readonly draw: () => string;
}

/** A matcher's question, answered when the block has been played. */
interface Check {
  readonly matcher: string;
  readonly isNot: boolean;
  readonly judge: () => Verdict;
}

/** What `expect$` observes in a `marbles` block, and what is expected of it. */
export class Probe {
  readonly checks: Check[] = [];
  /** Whether the block is over: nothing can be expected any more. */
  closed = false;
  readonly #scheduler: TestScheduler;
  readonly #subscription: string | undefined;
  #moments: Moment[] | undefined;

  constructor(
    readonly subject: unknown,
    subscription: string | undefined,
    readonly site: Site,
    scheduler: TestScheduler,
  ) {
    this.#subscription = subscription;
    this.#scheduler = scheduler;
  }

  /** Asks `judge` once the block has been played. */
  expect(check: Check): void {
    if (this.closed) {
      throw new UsageError(`${check.matcher} was called after its marbles block had ended: call it inside, and never behind an await`);
    }
    this.checks.push(check);
  }

  /** What the subject does from its subscription on; it is subscribed once, however many matchers ask. */
  record(matcher: string): readonly Moment[] {
    if (this.#moments) return this.#moments;
    const { subject } = this;
    if (!(subject instanceof Observable)) throw new UsageError(`${matcher} needs an observable: expect$(source$).${matcher}(...)`);
    const moments: Moment[] = [];
    const span = this.#subscription === undefined ? { from: 0, to: Infinity } : parseSpan(this.#subscription);
    if (!span) throw new UsageError(`expect$: '${String(this.#subscription)}' has no '^' at which to subscribe`);
    const log = (moment: Moment): void => {
      moments.push(moment);
    };
    this.#scheduler.schedule(() => {
      const subscription: Subscription = subject.subscribe({
        next: (value: unknown) => log({ frame: elapsed(), kind: 'next', value }),
        error: (error: unknown) => log({ frame: elapsed(), kind: 'error', error }),
        complete: () => log({ frame: elapsed(), kind: 'complete' }),
      });
      if (span.to !== Infinity) this.#scheduler.schedule(() => subscription.unsubscribe(), span.to - span.from);
    }, span.from);
    this.#moments = moments;
    return moments;
  }
}
