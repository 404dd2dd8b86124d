import { delay, mergeMap, of, retry, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';

describe('marbles', () => {
  it('compares values over time, and subscriptions', () =>
    marbles(({ cold, expect$ }) => {
      const source = cold('           5ms (a|)', { a: { id: 1 } });
      expect$(source.pipe(delay(3000))).toBeMarbles('3005ms (a|)', { a: expect.objectContaining({ id: 1 }) });
      expect$(source).toHaveSubscriptions('^ 4ms !');
    }));

  it('plays a server, and compares its requests', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /users', '5ms a 3ms b', { a: 429, b: reply(200, { json: [] }) });
      const answer = of('/users').pipe(
        mergeMap((url) => server.fetch(url)),
        mergeMap((response) => (response.ok ? response.json() : throwError(() => response))),
        retry({ count: 1, delay: 1000 }),
      );
      expect$(answer).toBeMarbles(' 5ms 1s 3ms (a|)', { a: [] });
      expect$(server).toHaveRequests('a 1004ms a', { a: 'GET /users' });
    }));
});
