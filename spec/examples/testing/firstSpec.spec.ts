import { describe, it } from 'vitest';
import { coldFetch, retryAfter } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';

describe('loading a user', () => {
  it('asks again when the server says', () =>
    marbles(({ expect$ }) => {
      const busy = reply(429, { headers: { 'retry-after': '3' } });
      const fetch = scriptedFetch('5ms a 5ms b', { a: busy, b: reply(200, { json: { id: 1 } }) });
      const user = coldFetch('https://api.example.com/users/1', { fetch, selector: (response) => response.json() });

      expect$(user.pipe(retryAfter())).toBeMarbles('5ms 3s 5ms (u|)', { u: { id: 1 } });
      expect$(fetch).toHaveRequests('               a 3004ms b');
    }));
});
