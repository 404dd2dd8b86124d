import { describe, expect, it } from 'vitest';
import { HttpContext, HttpContextToken } from 'coldfetch';

const RETRIES = new HttpContextToken('retries', () => 3);
const USER = new HttpContextToken<string | undefined>('user', () => undefined);

describe('HttpContext', () => {
  it('answers with what was set, else with the token’s default', () => {
    expect(HttpContext.empty.get(RETRIES)).toBe(3);
    expect(HttpContext.of(RETRIES, 5).get(RETRIES)).toBe(5);
  });

  it('keeps an undefined that was set apart from none', () => {
    const context = HttpContext.of(USER, undefined);
    expect([context.has(USER), HttpContext.empty.has(USER)]).toEqual([true, false]);
  });

  it('stays as it is: set and delete give another', () => {
    const context = HttpContext.of(RETRIES, 5);
    const changed = context.set(RETRIES, 6).set(USER, 'a');
    const without = changed.delete(RETRIES);
    expect([context.get(RETRIES), changed.get(RETRIES), without.get(RETRIES), without.get(USER)]).toEqual([5, 6, 3, 'a']);
    expect([HttpContext.empty.has(RETRIES), without.has(RETRIES)]).toEqual([false, false]);
  });

  it('goes by the token itself, not by its name', () => {
    const namesake = new HttpContextToken('retries', () => 0);
    expect(HttpContext.of(RETRIES, 5).get(namesake)).toBe(0);
  });

  it('makes each default anew', () => {
    const LIST = new HttpContextToken<string[]>('list', () => []);
    expect(HttpContext.empty.get(LIST)).not.toBe(HttpContext.empty.get(LIST));
  });
});
