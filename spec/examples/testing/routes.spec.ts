import { concat } from 'rxjs';
import { expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';

it('sends what a user typed, and reads the list again', () =>
  marbles(({ server, http, expect$ }) => {
    server.on('POST /users', '9ms a', { a: reply(201, { json: { id: 2 } }) });
    server.on('GET /users', '5ms a', { a: reply(200, { json: [{ id: 1 }, { id: 2 }] }) });

    const saved = concat(http.post('/users', { name: 'Ada' }), http.get('/users'));

    expect$(saved).toBeMarbles('9ms a 4ms (b|)', { a: { id: 2 }, b: expect.arrayContaining([{ id: 2 }]) });
    expect$(server).toHaveRequests('a 8ms b', {
      a: { method: 'POST', path: '/users', json: { name: 'Ada' }, headers: { 'content-type': 'application/json' } },
      b: 'GET /users',
    });
  }));

it('shows a report although its body stalls for five seconds', () =>
  marbles(({ server, http, expect$ }) => {
    server.on('GET /report', '5ms a', { a: reply(200, { chunks: 'a 5s b|', values: { a: '{"rows":', b: '[]}' } }) });

    expect$(http.get('/report')).toBeMarbles('5ms 5s --(r|)', { r: { rows: [] } });
  }));

it('waits until a date', () =>
  marbles(({ server, http, date, expect$ }) => {
    server.on('GET /users', [reply(503, { headers: { 'retry-after': date('90s') } }), reply(200, { json: [] })]);

    // The standard policy waits no longer than 60 s, whatever a server asks for.
    expect$(http.get('/users')).toBeMarbles('60s (a|)', { a: [] });
  }));
