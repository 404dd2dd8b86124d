import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import { failureOf } from '../support/failureOf.js';
import { checkKeys } from '../../src/request/checkKeys.js';

const check = (given: object): void => checkKeys(() => 'tool', given, ['rate', 'burst'], { limit: 'rate' });

describe('checkKeys', () => {
  it('takes keys that there are, and any that is undefined', () => {
    expect(() => check({ rate: 1, burst: undefined, other: undefined })).not.toThrow();
  });

  it.each([
    ['rat', 'tool: rat is unknown; there are rate, burst'],
    ['limit', 'tool: limit is unknown; say it as rate'],
    ['constructor', 'tool: constructor is unknown; there are rate, burst'],
  ])('refuses %s, and says what there is', (key, message) => {
    const error = failureOf(() => check({ [key]: 1 }));
    expect([isUsageError(error), error.message]).toEqual([true, message]);
  });
});
