import { describe, expect, it } from 'vitest';
import { ReclaimBudget } from '../../../src/pace/window/ReclaimBudget.js';

/** Requests in a row that it allows though none of them finds anything. */
function allowedBy(budget: ReclaimBudget): number {
  let allowed = 0;
  for (; budget.allows; allowed++) budget.spend();
  return allowed;
}

describe('ReclaimBudget', () => {
  it('allows three that find nothing at first', () => {
    expect(allowedBy(new ReclaimBudget())).toBe(3);
  });

  it('allows one more for every 20 successes', () => {
    const budget = new ReclaimBudget();
    allowedBy(budget);
    for (let i = 0; i < 21; i++) budget.earn();
    expect(allowedBy(budget)).toBe(1);
  });

  it('is not saved up beyond four', () => {
    const budget = new ReclaimBudget();
    for (let i = 0; i < 1000; i++) budget.earn();
    expect(allowedBy(budget)).toBe(4);
  });
});
