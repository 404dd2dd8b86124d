import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';
import { requireThat } from '../../src/request/requireThat.js';
import { failureOf } from '../support/failureOf.js';

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
