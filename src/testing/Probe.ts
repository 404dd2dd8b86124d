import { isObservable, type SchedulerLike, type Subscription } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { frameNow, type Moment } from './diagrams/marbleTime.js';
import { parseSpan } from './diagrams/parseMarbles.js';
import { type Failure, misuse, pointingAt, type Site } from './site.js';
import type { Comparison } from './comparison/compareMoments.js';

/** Expectation of a matcher, compared when the block has been played. */
export interface Check {
  readonly matcher: string;
  readonly isNot: boolean;
  readonly compare: () => Comparison;
}

/** The part of a block of virtual time that a probe needs. */
export interface ProbedBlock {
  readonly scheduler: SchedulerLike;
  /** @throws UsageError when the block is over */
  refuseIfOver(what: string, site: Site): void;
}

/** Mark of a probe: the set-up file of a test runner may have loaded another copy of the kit than the spec has. */
const BRAND: unique symbol = Symbol.for('coldfetch.testing.probe');

/** Subject of `expect$` in a `marbles` block, and the expectations of it. */
export class Probe {
  readonly [BRAND] = true;
  readonly checks: Check[] = [];
  readonly #block: ProbedBlock;
  readonly #subscription: string | undefined;
  #moments: Moment[] | undefined;

  constructor(
    readonly subject: unknown,
    subscription: string | undefined,
    /** Place of the call. */
    readonly site: Site,
    block: ProbedBlock,
  ) {
    this.#subscription = subscription;
    this.#block = block;
  }

  /** Adds a check, made once the block has been played. */
  expect(check: Check): void {
    this.#block.refuseIfOver(check.matcher, this.site);
    this.checks.push(check);
  }

  /** Notifications of the subject from its subscription on; it is subscribed once for all matchers. */
  record(matcher: string): readonly Moment[] {
    this.#moments ??= this.#subscribe(matcher);
    return this.#moments;
  }

  /** The checks that did not come out as expected. */
  failures(): Failure[] {
    if (this.#subscription !== undefined && !this.#moments) {
      const [{ matcher } = { matcher: '' }] = this.checks;
      throw misuse(`expect$ subscribes to nothing for ${matcher}, which looks at a log: leave out '${this.#subscription}'`, this.site);
    }
    return this.checks.flatMap(({ matcher, isNot, compare }) => {
      const { difference, draw } = pointingAt(this.site, compare);
      if ((difference === undefined) !== isNot) return [];
      return [{ message: titled('expect$', matcher, isNot, draw()), site: this.site }];
    });
  }

  #subscribe(matcher: string): Moment[] {
    const { subject } = this;
    if (!isObservable(subject)) throw new UsageError(`${matcher} needs an observable: expect$(source$).${matcher}(...)`);
    const span = parseSpan(this.#subscription ?? '^');
    if (!span) throw new UsageError(`expect$: '${String(this.#subscription)}' has no '^' at which to subscribe`);
    const { scheduler } = this.#block;
    const moments: Moment[] = [];
    let subscription: Subscription | undefined;
    scheduler.schedule(() => {
      subscription = subject.subscribe({
        next: (value: unknown) => void moments.push({ frame: frameNow(), kind: 'next', value }),
        error: (error: unknown) => void moments.push({ frame: frameNow(), kind: 'error', error }),
        complete: () => void moments.push({ frame: frameNow(), kind: 'complete' }),
      });
    }, span.from);
    // The unsubscription is scheduled before anything that the source does: at the same moment it wins, as in RxJS.
    if (span.to !== Infinity) scheduler.schedule(() => subscription?.unsubscribe(), span.to);
    return moments;
  }
}

/** True if `value` is a {@link Probe}, of whichever copy of the kit. */
export function isProbe(value: unknown): value is Probe {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** A failure as it is shown. */
export function titled(expect: string, matcher: string, isNot: boolean, drawing: string): string {
  return `${expect}(received)${isNot ? '.not' : ''}.${matcher}(expected)\n\n${drawing}`;
}
