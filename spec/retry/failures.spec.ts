import { describe, expect, it } from 'vitest';
import { type Failure, failures } from 'coldfetch';

const answered = (status: number): Failure => ({ error: undefined, type: 'response', status });
const network: Failure = { error: undefined, type: 'network' };
const timeout: Failure = { error: undefined, type: 'timeout' };

describe('failures', () => {
  it('matches statuses by name', () => {
    expect([408, 425, 500].map((status) => failures.status(408, 425)(answered(status)))).toEqual([true, true, false]);
  });

  it('matches server errors, except those named', () => {
    expect([499, 500, 501, 599].map((status) => failures.serverError(501)(answered(status)))).toEqual([false, true, false, true]);
  });

  it('matches attempts without an answer', () => {
    expect([network, timeout, answered(503)].map(failures.unanswered)).toEqual([true, true, false]);
  });

  it('matches any of several', () => {
    const matches = failures.anyOf(failures.status(409), failures.unanswered);
    expect([answered(409), network, answered(503)].map(matches)).toEqual([true, true, false]);
  });

  it('takes no status from a failure without an answer', () => {
    expect([failures.status(0), failures.serverError()].map((matches) => matches(network))).toEqual([false, false]);
  });
});
