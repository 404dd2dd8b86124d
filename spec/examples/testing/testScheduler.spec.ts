import { TestScheduler } from 'rxjs/testing';
import { expect, it } from 'vitest';
import { createClient } from 'coldfetch';
import { reply, scriptedServer } from 'coldfetch/testing';

it('waits as long as the server asks', () => {
  const server = scriptedServer();
  server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: [] }) });
  const http = createClient({ baseUrl: server.url, fetch: server.fetch });

  new TestScheduler((received, expected) => expect(received).toEqual(expected)).run(({ expectObservable }) => {
    expectObservable(http.get('/users')).toBe('5ms 3s 5ms (a|)', { a: [] });
  });

  expect(server).toHaveRequests('a 3004ms a', { a: 'GET /users' });
  expect(server.problems()).toEqual([]);
});
