import { map, TimeoutError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';
import { mutants } from './mutants.js';
import { GaveUp, type Parts, rightParts, smallPipeline } from './smallPipeline.js';

const url = 'https://api.test/users?page=2';
const busy = reply(429, { headers: { 'retry-after': '3' }, body: 'slow down' });
const users = reply(200, { json: ['ada'] });

/** Wishes of a user about the pipeline, each a marbles block. */
const behaviours: Record<string, (parts: Parts) => void> = {
  'waits as long as the server asks': (parts) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch('5ms a 5ms b', { a: busy, b: users });
      const wait = { type: 'wait', source: 'retryAfter', delay: 3000 };
      expect$(smallPipeline(fetch, url, parts)).toBeMarbles('5ms w 2999ms 5ms (u|)', { w: wait, u: ['ada'] });
      expect$(fetch).toHaveRequests('a 3004ms b', {
        a: { method: 'GET', path: '/users?page=2', headers: { 'x-attempt': '0' }, cancelledAt: 5 },
        b: { method: 'GET', path: '/users?page=2', headers: { 'x-attempt': '1' }, cancelledAt: undefined },
      });
    }),

  'keeps two subscribers apart': (parts) =>
    marbles(({ expect$ }) => {
      const pipeline = smallPipeline(scriptedFetch([busy, busy, busy, busy, users, users]), url, parts);
      const answers = pipeline.pipe(map((value) => (Array.isArray(value) ? 'answer' : 'wait')));
      expect$(answers).toBeMarbles('   w 2999ms w 2999ms (a|)', { w: 'wait', a: 'answer' });
      expect$(answers, '-^').toBeMarbles('-w 2999ms w 2999ms (a|)', { w: 'wait', a: 'answer' });
    }),

  'doubles its own waits, and gives up after two': (parts) =>
    marbles(({ expect$ }) => {
      const events$ = smallPipeline(scriptedFetch([503, 502, 503, users]), url, parts);
      expect$(events$).toWait(['backoff 1s', 'backoff 2s']);
      expect$(smallPipeline(scriptedFetch([503, 502, 503, users]), url, parts)).toFailWith({
        message: 'gave up on a 503',
        cause: { status: 503 },
      });
    }),

  'does not repeat what cannot be mended': (parts) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([404, users]);
      expect$(smallPipeline(fetch, url, parts)).toBeMarbles('#', undefined, GaveUp);
      expect$(fetch).toHaveRequests('a');
    }),

  'asks nothing before it is subscribed': (parts) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([users]);
      const pipeline = smallPipeline(fetch, url, parts);
      expect$(timer(2000).pipe(map(() => pipeline))).toBeMarbles('2s (a|)', { a: expect.anything() });
      expect$(fetch).toHaveRequests('');
    }),

  'ends its wait when it is unsubscribed': (parts) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([busy, users]);
      expect$(smallPipeline(fetch, url, parts), '^ 999ms !').toBeMarbles('w', { w: expect.objectContaining({ type: 'wait' }) });
      expect$(fetch).toHaveRequests('a', { a: 'GET /users?page=2' });
    }),

  'gives a request up when it is unsubscribed': (parts) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch(['hang']);
      expect$(smallPipeline(fetch, url, parts), '^ 999ms !').toBeMarbles('');
      expect$(fetch).toHaveRequests('a', { a: { abortedAt: 1000 } });
    }),

  'completes when it is stopped': (parts) =>
    marbles(({ cold, expect$ }) => {
      const stop = cold('1s s');
      expect$(smallPipeline(scriptedFetch(['hang']), url, parts, stop)).toBeMarbles('1s |');
      expect$(stop).toHaveSubscriptions('^ 999ms !');
    }),

  'fails when no answer comes for 30 s': (parts) =>
    marbles(({ expect$ }) => {
      expect$(smallPipeline(scriptedFetch(['hang']), url, parts), '^ 60s !').toBeMarbles('30s #', undefined, TimeoutError);
    }),
};

/** The first behaviour that a pipeline of these parts lacks, and what the kit says of it. */
function firstComplaint(parts: () => Parts): string {
  const failing = Object.entries(behaviours).find(([, behave]) => {
    try {
      behave(parts());
      return false;
    } catch {
      return true;
    }
  });
  if (!failing) return 'nobody noticed';
  const [name, behave] = failing;
  return `${name}\n\n${failureOf(() => behave(parts())).message}`;
}

describe('the small pipeline', () => {
  it.each(Object.entries(behaviours))('%s', (_, behave) => {
    behave(rightParts);
  });

  it.each(mutants)('is noticed when it $name', ({ parts, complaint }) => {
    expect(`\n${firstComplaint(() => ({ ...rightParts, ...parts() }))}\n`).toBe(complaint);
  });
});
