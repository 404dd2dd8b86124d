import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, createClient, type FetchLike, UsageError } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users';

describe('a fetch that gives no Response', () => {
  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['5', () => 5],
    ['5', () => of(5)],
    ['undefined', () => of(undefined)],
    ['undefined', () => Promise.resolve(undefined)],
    ['an object', () => of({ data: [] })],
    ['an object', () => new Response()],
  ])('is named in one line: %s', async (given, fetch) => {
    for (const answer$ of [coldFetch(URL, { fetch: fetch as FetchLike }), createClient({ fetch: fetch as FetchLike }).get(URL)]) {
      const error = await errorOf(answer$);
      expect(error).toBeInstanceOf(UsageError);
      expect((error as Error).message).toBe(`GET ${URL}: fetch gave ${given}; give a promise or an observable of a Response`);
    }
  });
});
