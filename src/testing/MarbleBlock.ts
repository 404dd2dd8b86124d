import { TestScheduler } from 'rxjs/testing';
import { isVirtual } from '../time.js';
import { Probe } from './Probe.js';
import { isRequestLog, type RequestLog } from './scripted/RecordedRequest.js';
import { type Failure, misuse, type Site } from './site.js';

/** Most actions in one block: a block with more has no end, and would keep the test runner busy forever. */
const MOST_ACTIONS = 500_000;

/** A block of virtual time, with its expectations. */
export class MarbleBlock {
  readonly scheduler: TestScheduler;
  readonly #probes: Probe[] = [];
  readonly #site: Site;
  #over = false;
  #endless: Error | undefined;

  /** @param site place of the block */
  constructor(site: Site) {
    this.#site = site;
    if (isVirtual()) throw misuse('marbles inside of another virtual time: give each its own spec', site);
    this.scheduler = endless(new TestScheduler(() => undefined), () => {
      // The error is thrown as well, to end what goes on; but a source may take it for an error of its own, and go on.
      this.#endless ??= misuse(
        `The marbles block does not end: something in it goes on after ${MOST_ACTIONS} steps. Unsubscribe it, as in expect$(source$, '^ 10s !')`,
        site,
      );
      return this.#endless;
    });
  }

  /** True if anything was expected of an observable, or of a log. */
  get expectsSomething(): boolean {
    return this.#probes.length > 0;
  }

  /** Observes `subject` from now on. */
  watch(subject: unknown, subscription: string | undefined, site: Site): Probe {
    this.refuseIfOver('expect$', site);
    const probe = new Probe(subject, subscription, site, this);
    this.#probes.push(probe);
    return probe;
  }

  /** Nothing can be made or expected after the end: it would never be played. */
  refuseIfOver(what: string, site: Site): void {
    if (this.#over) throw misuse(`${what} was called after its marbles block had ended: call it inside, and never behind an await`, site);
  }

  /** Ends the block: from here on nothing is played. */
  end(): void {
    this.#over = true;
  }

  /** Compares every subject with its expectations. */
  failures(): Failure[] {
    if (this.#endless) throw this.#endless;
    const idle = this.#probes.find(({ checks }) => checks.length === 0);
    if (idle)
      throw misuse('expect$(...) has no matcher, so it expects nothing: add one, as in expect$(source$).toBeMarbles(...)', idle.site);
    return this.#probes.flatMap((probe) => probe.failures());
  }

  /** The logs of requests with expectations. */
  get logs(): RequestLog[] {
    return this.#probes.map(({ subject }) => subject).filter(isRequestLog);
  }

  /** A failure of the block as a whole. */
  failure(message: string): Failure {
    return { message, site: this.#site };
  }
}

/** Refuses to go on forever; virtual time never yields, so that no runner's timeout could end it. */
function endless(scheduler: TestScheduler, problem: () => Error): TestScheduler {
  const schedule = scheduler.schedule.bind(scheduler);
  let actions = 0;
  const counted: typeof schedule = (...action) => {
    if (++actions > MOST_ACTIONS) throw problem();
    return schedule(...action);
  };
  return Object.assign(scheduler, { schedule: counted });
}
