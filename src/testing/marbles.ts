import type { Observable } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import { UsageError } from '../request/errors/UsageError.js';
import { parseDuration } from './duration.js';
import { ExpectationError, type Site, siteOf } from './ExpectationError.js';
import { requireExpect } from './frameworkExpect.js';
import type { MarbleExpectation, RequestExpectation } from './MarbleExpectation.js';
import { parseMarbles } from './parseMarbles.js';
import { Probe } from './Probe.js';
import type { RequestLog } from './RecordedRequest.js';
import { type ScriptedServer, scriptedServer } from './scriptedServer.js';

/** What a {@link marbles} block works with. */
export interface MarbleContext extends Pick<RunHelpers, 'cold' | 'hot' | 'flush' | 'animate'> {
  /**
   * Expects something of an observable (its values, its failure, its waits; of a `cold` or `hot` one its subscriptions too), of a server's
   * requests, or of the events in an array. It is compared when the block has been played.
   *
   * @param subscription when it is subscribed and unsubscribed: `'^ 10s !'`
   */
  expect$(log: RequestLog): RequestExpectation;
  expect$(source: Observable<unknown> | readonly unknown[], subscription?: string): MarbleExpectation;
  /** Milliseconds of a duration: `'3s'`, `'1m 30s'`, or, as in RxJS, of the stretch before a `|`: `'--|'`. */
  time(duration: string): number;
  /** A moment of virtual time as an HTTP date. Virtual time begins with 1970. */
  date(moment: number | string): string;
  /** A server to script by routes. What is left unasked at the end of the block is an error, and so is a request without an answer. */
  readonly server: ScriptedServer;
  /** What to give to what draws random numbers: always the same. */
  readonly random: () => number;
}

/** What can be set for a {@link marbles} block. */
export interface MarbleOptions {
  /** What `random` draws; 0.5 unless set. */
  readonly random?: number | (() => number);
}

/**
 * Plays a block in virtual time, then compares what was expected: hours pass in no time, nothing sleeps, and no timer library is needed.
 *
 * It fails when something expected did not happen, and also when the block could not have failed: it is async, it expects nothing, or an
 * `expect$` has no matcher. Whatever happens in it, the real clock is back when it ends.
 *
 * @example
 * it('retries after a second', () =>
 *   marbles(({ cold, expect$ }) => {
 *     const flaky$ = cold('#', undefined, new Error('busy'));
 *     expect$(flaky$.pipe(retry({ count: 1, delay: 1000 }))).toBeMarbles('1s #', undefined, { message: 'busy' });
 *     expect$(flaky$).toHaveSubscriptions(['(^!)', '1s (^!)']);
 *   }));
 */
export function marbles(body: (context: MarbleContext) => void, options: MarbleOptions = {}): void {
  const expect = requireExpect();
  const site = siteOf(marbles);
  const assertions = (): number => expect.getState().assertionCalls ?? 0;
  const before = assertions();
  const probes: Probe[] = [];
  const server = scriptedServer();
  const scheduler = new TestScheduler(() => undefined);

  const expect$ = (subject: unknown, subscription?: string): never => {
    const probe = new Probe(subject, subscription, siteOf(expect$), scheduler);
    probes.push(probe);
    return expect(probe) as never;
  };

  try {
    scheduler.run(({ cold, hot, flush, animate }) => {
      const context: MarbleContext = {
        cold: ((diagram: string, ...rest: []) => cold(checked(diagram), ...rest)) as RunHelpers['cold'],
        hot: ((diagram: string, ...rest: []) => hot(checked(diagram), ...rest)) as RunHelpers['hot'],
        flush,
        animate,
        expect$,
        time: (duration) =>
          duration.includes('|') ? (parseMarbles(duration).find(({ key }) => key === '|')?.frame ?? 0) : parseDuration(duration),
        date: (moment) => new Date(parseDuration(moment)).toUTCString(),
        server,
        random: drawing(options.random ?? 0.5),
      };
      refuseAsync((body as (context: MarbleContext) => unknown)(context), site);
    });
  } finally {
    for (const probe of probes) probe.closed = true;
  }
  const failures = failuresOf(probes);
  if (probes.length === 0 && assertions() === before) {
    throw misuse('The marbles block expects nothing, so it can never fail: add expect$(...), or an expect(...)', site);
  }
  const [first, ...others] = [...failures, ...server.problems().map((message) => ({ message: `The server: ${message}`, site }))];
  if (first) throw new ExpectationError([first, ...others].map(({ message }) => message).join('\n\n'), first.site);
}

interface Failure {
  readonly message: string;
  readonly site: Site;
}

function failuresOf(probes: readonly Probe[]): Failure[] {
  return probes.flatMap(({ checks, site }) => {
    if (checks.length === 0) {
      throw misuse('expect$(...) has no matcher, so it expects nothing: add one, as in expect$(source$).toBeMarbles(...)', site);
    }
    return checks.flatMap(({ matcher, isNot, judge }) => {
      const { difference, draw } = judge();
      return (difference === undefined) === isNot
        ? [{ message: `expect$(received)${isNot ? '.not' : ''}.${matcher}(expected)\n\n${draw()}`, site }]
        : [];
    });
  });
}

function refuseAsync(result: unknown, site: Site): void {
  if (typeof result !== 'object' || result === null || !('then' in result)) return;
  // What it will reject with, once it finds the block closed, is not another failure.
  Promise.resolve(result).catch(() => undefined);
  throw misuse(
    'The body of marbles is async: virtual time does not wait for promises, and what it expects after an await would never be compared',
    site,
  );
}

function misuse(message: string, { frames }: Site): UsageError {
  const error = new UsageError(message);
  error.stack = `${error.name}: ${message}\n${frames}`;
  return error;
}

/** Sees that RxJS reads a diagram as it was meant; a hot one may begin before its `^`. */
function checked(diagram: string): string {
  parseMarbles(diagram.replace('^', '-'));
  return diagram;
}

function drawing(random: number | (() => number)): () => number {
  return typeof random === 'number' ? () => random : random;
}
