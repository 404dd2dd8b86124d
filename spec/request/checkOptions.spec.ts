import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import { checkOptions, FUNCTION, type OptionTable, POSITIVE, requireThat } from '../../src/request/checkOptions.js';
import { failureOf } from '../support/failureOf.js';

interface ToolOptions {
  readonly rate: number;
  readonly burst?: number | undefined;
  readonly random?: (() => number) | undefined;
}

const OPTIONS: OptionTable<ToolOptions> = {
  rules: { rate: POSITIVE, burst: POSITIVE, random: FUNCTION },
  required: ['rate'],
  elsewhere: { limit: 'rate' },
};

const check = (given: unknown): void => checkOptions('tool', given as ToolOptions, OPTIONS);

describe('checkOptions', () => {
  it('takes options that there are, and any that is undefined', () => {
    expect(() => check({ rate: 1, burst: undefined, other: undefined })).not.toThrow();
  });

  it.each([
    [{ rate: 1, rat: 1 }, 'tool: rat is unknown; there are rate, burst, random'],
    [{ rate: 1, limit: 1 }, 'tool: limit is unknown; say it as rate'],
    [{ rate: 1, constructor: 1 }, 'tool: constructor is unknown; there are rate, burst, random'],
    [{ rate: -1 }, 'tool: rate is -1; give a number above 0'],
    [{ rate: NaN }, 'tool: rate is NaN; give a number above 0'],
    [{ rate: '5' }, 'tool: rate is 5; give a number above 0'],
    [{ rate: 1, burst: null }, 'tool: burst is null; give a number above 0'],
    [{ rate: 1, random: 0.5 }, 'tool: random is 0.5; give a function'],
    [{}, 'tool: rate is undefined; give a number above 0'],
    [undefined, 'tool: the argument is undefined; give an object of options'],
    [null, 'tool: the argument is null; give an object of options'],
  ])('refuses %j, and says what to give', (given, message) => {
    const error = failureOf(() => check(given));
    expect([isUsageError(error), error.message]).toEqual([true, message]);
  });
});

describe('requireThat', () => {
  it('names place, value and remedy, in one line', () => {
    const error = failureOf(() => requireThat(false, 'tool', 'rate', -1, 'a number above 0'));
    expect([isUsageError(error), error.message]).toEqual([true, 'tool: rate is -1; give a number above 0']);
  });

  it('shows what has no place in a template, a symbol say', () => {
    expect(failureOf(() => requireThat(false, 'tool', 'rate', Symbol('fast'), 'a number')).message).toBe(
      'tool: rate is Symbol(fast); give a number',
    );
  });

  it('asks for the place only when it has something to say', () => {
    const asked: string[] = [];
    const place = (): string => {
      asked.push('asked');
      return 'GET /a';
    };
    requireThat(true, place, 'rate', 1, 'a number above 0');
    expect(asked).toEqual([]);
    expect(failureOf(() => requireThat(false, place, 'rate', 0, 'a number above 0')).message).toBe(
      'GET /a: rate is 0; give a number above 0',
    );
  });
});
