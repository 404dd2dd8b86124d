import { it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';

it('ends a request, and a wait, when nobody listens any more', () =>
  marbles(({ server, http, expect$ }) => {
    server.on('GET /slow', ['hang']);
    server.on('GET /busy', [reply(429, { headers: { 'retry-after': '60' } })]);

    expect$(http.get('/slow'), '^ 1999ms !').toBeMarbles('');
    expect$(http.get('/busy'), '2s ^ 5s !').toBeMarbles('');
    // Given up after 2 s; and 60 s later no second request to /busy.
    expect$(server).toHaveRequests('a 1999ms b', { a: { path: '/slow', abortedAt: 2000 }, b: 'GET /busy' });
  }));

it('completes when the page is left', () =>
  marbles(({ server, http, cold, expect$ }) => {
    const left = cold('  2s x');
    server.on('GET /slow', ['hang']);

    expect$(http.get('/slow', { abort$: left })).toBeMarbles('2s |');
    expect$(left).toHaveSubscriptions('^ 1999ms !');
  }));
