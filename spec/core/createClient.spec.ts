import { EMPTY, lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { allOf, isUsageError, type Limiter, pacer } from 'coldfetch';
import { createClient } from 'coldfetch/core';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';

const URL = 'https://api.test/users';
const refused = (): ReturnType<typeof reply> => reply(429, { headers: { 'retry-after': '3' } });

describe('createClient of coldfetch/core', () => {
  it('retries by default', () =>
    marbles(({ expect$ }) => {
      const http = createClient({ fetch: scriptedFetch([refused(), reply(200, { json: 1 })]) });
      expect$(http.get(URL)).toBeMarbles('3s (a|)', { a: 1 });
    }));

  it('holds no request for the 429 of another, unless a pacer is named', () =>
    marbles(({ expect$ }) => {
      const answers = () => scriptedFetch([refused(), reply(200, { json: 1 }), reply(200, { json: 2 })]);
      const [alone, paced] = [createClient({ fetch: answers() }), createClient({ fetch: answers(), pace: pacer() })];
      for (const http of [alone, paced]) http.get(URL).subscribe();
      expect$(alone.get(URL)).toBeMarbles('(a|)', { a: 1 });
      expect$(paced.get(URL)).toBeMarbles('3s (a|)', { a: 1 });
    }));

  it('extends to clients that have no limiter either', async () => {
    const http = createClient({ fetch: () => of(new Response('1')) }).extend({ retry: false });
    expect(await lastValueFrom(http.get(URL))).toBe(1);
  });

  it('refuses options of a wait without a limiter', () => {
    const error = failureOf(() => createClient({ pace: { maxWait: 1000 } }));
    expect([isUsageError(error), error.message]).toEqual([
      true,
      'createClient: pace has options of a wait and no limiter; give one, { limiter: pacer() } say',
    ]);
  });

  it('refuses a limiter without a queue, and takes it with one', () => {
    const own: Limiter = { check: () => 0, take: () => ({ settle: () => undefined, release: () => undefined }), changed$: EMPTY };
    expect(failureOf(() => createClient({ pace: own })).message).toBe('pace: the limiter brings no queue; give allOf(limiter), which does');
    expect(() => createClient({ pace: allOf(own) })).not.toThrow();
  });
});
