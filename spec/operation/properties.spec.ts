import { type Arbitrary, array, constantFrom, double, integer, nat, oneof, property, record } from 'fast-check';
import { of, tap } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import {
  coldFetch,
  exponential,
  fullJitter,
  policies,
  type PolicyName,
  retryAfter,
  type RetryEvent,
  type RetryPolicy,
  retryReport,
} from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { elapsed } from '../../src/time.js';
import { forAll } from '../support/forAll.js';

/** An answer of the server: a status and what it asks for. */
interface Step {
  readonly status: number;
  readonly hint: string | undefined;
}

const hints = oneof(
  nat(100).map(String),
  constantFrom('0', '-1', '1.5', 'soon', '3, 5', '9999999999', '9'.repeat(400), 'Thu, 01 Jan 1970 00:00:30 GMT', undefined),
);
const steps: Arbitrary<Step[]> = array(record({ status: constantFrom(200, 404, 408, 429, 429, 429, 500, 501, 503, 0), hint: hints }), {
  minLength: 1,
  maxLength: 12,
});
const named = constantFrom<PolicyName>('standard', 'upload', 'api', 'interactive', 'batch', 'patient').map((name) => policies[name]);
const own: Arbitrary<RetryPolicy> = record({
  retries: nat(4),
  hint: constantFrom('capped' as const, 'minimum' as const),
  cap: nat(90_000),
  spread: double({ min: 0, max: 1, noNaN: true }),
  backoff: constantFrom(exponential({ base: 10 }), fullJitter({ base: 700, cap: 9000 })),
  deadline: oneof(integer({ min: 1000, max: 200_000 }), constantFrom(Infinity)),
}).map(({ deadline, ...rule }) => {
  const sources = policies.standard.rules.throttled.sources ?? {};
  const all = { ...rule, sources, matches: (): boolean => true, replay: 'any' as const };
  return { ...policies.standard, rules: { all }, deadline };
});
const draws = double({ min: 0, max: 0.999, noNaN: true });

/** Course of one operation. */
interface Run {
  readonly hits: number[];
  readonly events: RetryEvent[];
  readonly errors: unknown[];
  readonly thrown: unknown[];
  end: number;
}

/** Plays operations against a server that answers as the steps say, then 200; each has its own steps behind one operator. */
function play(policy: RetryPolicy, draw: number, ...scripts: readonly (readonly Step[])[]): Run[] {
  const runs = scripts.map((): Run => ({ hits: [], events: [], errors: [], thrown: [], end: NaN }));
  new TestScheduler(() => undefined).run(() => {
    const running = { ...policy, random: () => draw };
    runs.forEach((run, index) => {
      const script = scripts[index] ?? [];
      const fetch = () => {
        const { status, hint } = script[run.hits.length] ?? { status: 200, hint: undefined };
        run.hits.push(elapsed());
        if (status === 0) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
        return of(reply(status, { headers: hint === undefined ? {} : { 'retry-after': hint } }));
      };
      const source$ = coldFetch('https://api.test/', { fetch });
      const kept$ = source$.pipe(tap({ error: (error: unknown) => run.thrown.push(error) }));
      const end = (): void => {
        run.end = elapsed();
      };
      kept$.pipe(retryAfter({ ...running, notify: (event) => run.events.push(event) })).subscribe({
        error: (error: unknown) => {
          run.errors.push(error);
          end();
        },
        complete: end,
      });
    });
  });
  return runs;
}

describe('for any sequence of answers and any policy', () => {
  const anyOperation = [oneof(named, own), draws, steps] as const;
  const runs = { numRuns: 100 };

  it('delays are finite and 0 or more', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        for (const event of run?.events ?? []) {
          if (event.type === 'wait') expect(event.delay >= 0 && event.delay < Infinity).toBe(true);
        }
      }),
      runs,
    );
  });

  it('a request comes when its wait is over, which is told in whole milliseconds', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        const waits = (run?.events ?? []).flatMap((event) => (event.type === 'wait' ? [event.delay] : []));
        run?.hits.slice(1).forEach((hit, n) => {
          // After a hint of centuries the clock itself is no finer than some microseconds.
          const finest = Math.max(1e-5, 2 * hit * Number.EPSILON);
          const early = (waits[n] ?? NaN) - (hit - (run.hits[n] ?? NaN));
          expect(early).toBeGreaterThanOrEqual(-finest);
          expect(early).toBeLessThan(1 + finest);
        });
      }),
      runs,
    );
  });

  it('nothing is sent before a minimum hint', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        run?.hits.slice(1).forEach((hit, n) => {
          const { hint, status } = script[n] ?? {};
          const minimum = Object.values(policy.rules).every((rule) => rule.hint === 'minimum');
          if (minimum && status !== 0 && hint !== undefined && /^\d{1,3}$/.test(hint)) {
            expect(hit - (run.hits[n] ?? NaN)).toBeGreaterThanOrEqual(Number(hint) * 1000 - 1e-6);
          }
        });
      }),
      runs,
    );
  });

  it('nothing is sent, and nothing goes on, after the deadline', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        for (const hit of run?.hits ?? []) expect(hit).toBeLessThan(policy.deadline);
        // A hint of centuries that no deadline bounds has no end here.
        if (policy.deadline < Infinity) expect(run?.end).toBeLessThanOrEqual(policy.deadline);
      }),
      runs,
    );
  });

  it('no rule retries more often than it may', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        for (const [kind, { retries }] of Object.entries(policy.rules)) {
          const waits = (run?.events ?? []).filter((event) => event.type === 'wait' && event.kind === kind);
          expect(waits.length).toBeLessThanOrEqual(retries);
        }
      }),
      runs,
    );
  });

  it('subscriptions do not see each other', () => {
    forAll(
      property(oneof(named, own), draws, steps, steps, (policy, draw, one, other) => {
        const [together] = play(policy, draw, one, other);
        const [alone] = play(policy, draw, one);
        expect([together?.hits, together?.end]).toEqual([alone?.hits, alone?.end]);
      }),
      runs,
    );
  });

  it('the very last error comes out, with its report and its event', () => {
    forAll(
      property(...anyOperation, (policy, draw, script) => {
        const [run] = play(policy, draw, script);
        if (!run || run.errors.length === 0) return;
        expect(run.errors[0]).toBe(run.thrown.at(-1));
        const last = run.events.at(-1);
        const report = retryReport(run.errors[0]);
        expect([last?.type, report?.attempts]).toEqual(['gave-up', run.hits.length]);
        expect(last?.type === 'gave-up' && last.reason).toBe(report?.reason);
      }),
      runs,
    );
  });
});
