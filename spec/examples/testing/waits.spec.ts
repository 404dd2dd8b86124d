import { it } from 'vitest';
import { policies } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';

it('waits as told, then as it thinks right', () =>
  marbles(
    ({ server, http, expect$ }) => {
      server.on('GET /users', [reply(503, { headers: { 'retry-after': '3' } }), 503, 'network', reply(200, { json: [] })]);

      expect$(http.get('/users', { observe: 'events' })).toWait(['retry-after 3s', 'backoff 1s', 'backoff 2s']);
    },
    // Full jitter draws from 0 to 1, 2, 4 s: half of it, each time.
    { random: 0.5 },
  ));

it('gives up when the deadline would pass', () =>
  marbles(
    ({ server, http, expect$ }) => {
      server.on('GET /users', '5ms a 5ms a', { a: reply(503, { headers: { 'retry-after': '10' } }) });

      expect$(http.get('/users')).toBeMarbles('5ms 10s 5ms #', undefined, { status: 503 });
    },
    { client: { retry: { ...policies.interactive, deadline: 15_000 } }, random: 0 },
  ));
