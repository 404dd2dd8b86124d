import { catchError, concat, EMPTY, mergeMap, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient } from 'coldfetch';
import { marbles, reply, scriptedFetch, scriptedServer } from 'coldfetch/testing';
import { failureOf } from '../../support/failureOf.js';

describe('the server of a marbles block', () => {
  it('answers each route by its own script', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /users', '5ms a', { a: reply(200, { json: ['ada'] }) });
      server.on('POST /users', '9ms a', { a: reply(201, { json: { id: 2 } }) });
      const names = concat(http.get('users'), http.post('users', { name: 'bob' }));
      expect$(names).toBeMarbles('   5ms a 8ms (b|)', { a: ['ada'], b: { id: 2 } });
      expect$(server).toHaveRequests('a----b', { a: 'GET /users', b: { method: 'POST', path: '/users', json: { name: 'bob' } } });
    }));

  it.each([
    ['GET /users', 'https://api.test/users?page=2'],
    ['GET /users?page=2', 'https://api.test/users?page=2'],
    ['GET /users/*', 'https://api.test/users/1/photos'],
    ['* /users', 'https://api.test/users'],
    ['GET https://cdn.test/a', 'https://cdn.test/a'],
    ['GET *', 'https://cdn.test/anything'],
  ])('takes the route %j for %s', (route, url) => {
    const server = scriptedServer().on(route, [200]);
    server.fetch(url).subscribe({ error: () => undefined });
    expect(server.problems()).toEqual([]);
  });

  it.each([
    ['GET /users', 'https://api.test/users/1'],
    ['POST /users', 'https://api.test/users'],
    ['GET /users?page=2', 'https://api.test/users?page=3'],
    ['GET /a.c', 'https://api.test/abc'],
    ['GET https://cdn.test/a', 'https://api.test/a'],
  ])('does not take the route %j for %s', (route, url) => {
    const server = scriptedServer().on(route, [200]);
    server.fetch(url).subscribe({ error: () => undefined });
    expect(server.problems()).toEqual([
      `GET ${url} at ${server.requests[0]?.at} ms: the server has no such route, but ${route}`,
      `${route}: a scripted answer was not asked for`,
    ]);
  });

  it.each(['/users', 'GET', 'get /users', 'GET users', 'GET /users now'])('refuses the route %j', (route) => {
    expect(() => scriptedServer().on(route, [200])).toThrow(`'${route}' is not a route: write a method and a path, as in 'GET /users'`);
  });

  it('appends to a route that it has', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /', [503]).on('GET /', [200]);
      expect$(server.fetch('/').pipe(mergeMap(() => server.fetch('/')))).toBeMarbles('(a|)', {
        a: expect.objectContaining({ status: 200 }),
      });
    }));

  it('makes a failure of what is left unasked', () => {
    const failure = failureOf(() =>
      marbles(({ server, http, expect$ }) => {
        server.on('GET /a', [reply(200, { json: 1 })]).on('GET /b', [200, 200]);
        expect$(http.get('a')).toBeMarbles('(a|)', { a: 1 });
      }),
    );
    expect(failure.message).toBe('The server: GET /b: 2 scripted answers were not asked for');
  });

  it('makes a failure of a request without an answer, even when nobody looks at it', () => {
    const failure = failureOf(() =>
      marbles(({ server, http, expect$ }) => {
        server.on('GET /a', [reply(200, { json: 1 })]);
        expect$(http.get('a').pipe(mergeMap(() => http.get('a')))).not.toBeMarbles('|');
      }),
    );
    expect(failure.message).toBe('The server: GET https://api.test/a at 0 ms: the script of GET /a is used up');
  });

  it('makes a failure of an expect that fails in a script, though the client tries again', () => {
    const failure = failureOf(() =>
      marbles(({ server, http, expect$ }) => {
        const picky = ({ method }: { method: string }): number => {
          expect(method).toBe('PUT');
          return 200;
        };
        server.on('GET /a', [picky]);
        expect$(http.get('a').pipe(catchError(() => EMPTY))).toBeMarbles('|');
      }),
    );
    expect(failure.message).toBe(
      "The server: The script fails on GET https://api.test/a at 0 ms: AssertionError: expected 'GET' to be 'PUT' // Object.is equality",
    );
  });

  it('explains a failure by an answer of the platform, whose body does not come', () => {
    const lines = failureOf(() =>
      marbles(({ server, client, expect$ }) => {
        server.on('GET /a', [Response.json(1)]).on('GET /b', [new Response(null, { status: 204 })]);
        expect$(client({ retry: false }).get('a')).toBeMarbles('(a|)', { a: 1 });
        expect$(client().get('b')).toBeMarbles('(b|)', { b: null });
      }),
    ).message.split('\n');
    expect(lines[4]).toContain('but the error TimeoutError: GET https://api.test/a: no progress for 30000 ms');
    expect(lines.at(-1)).toBe(
      'GET https://api.test/a was answered with a Response of the platform, whose body never comes in virtual time: answer with reply(...)',
    );
  });

  it('explains a script that is too short by an answer of the platform, which was asked for again', () => {
    const failure = failureOf(() =>
      marbles(({ expect$ }) => {
        const http = createClient({ fetch: scriptedFetch([Response.json(1)]) });
        expect$(http.get('https://api.test/a')).toFailWith({ name: 'TimeoutError' });
      }),
    );
    expect(failure.message).toContain(
      'UsageError: GET https://api.test/a was answered with a Response of the platform, whose body never comes in virtual',
    );
  });

  it('explains a timeout behind a fetch of the spec by the bodies that do not come', () => {
    const failure = failureOf(() =>
      marbles(({ expect$ }) => {
        const http = createClient({ baseUrl: 'https://api.test', fetch: () => of(Response.json(1)), retry: false });
        expect$(http.get('a')).toBeMarbles('(a|)', { a: 1 });
      }),
    );
    expect(failure.message.split('\n').at(-1)).toBe(
      'In virtual time no promise settles, and the body of a Response of the platform never comes, so that a request times out: answer with reply(...)',
    );
  });

  it('explains no timeout of a request that the script leaves without an answer', () => {
    const failure = failureOf(() =>
      marbles(({ server, client, expect$ }) => {
        server.on('GET /a', ['hang']);
        expect$(client({ retry: false }).get('a')).toBeMarbles('(a|)', { a: 1 });
      }),
    );
    expect(failure.message).toContain('TimeoutError');
    expect(failure.message).not.toContain('of the platform');
  });

  it('makes a failure of a request to no URL', () => {
    const server = scriptedServer().on('GET /a', []);
    server.fetch('http://').subscribe({ error: () => undefined });
    expect(server.problems()[0]).toMatch(/^GET http:\/\/ at .* the server has no such route, but GET \/a$/);
  });

  it('is reached by clients with options of their own', () =>
    marbles(
      ({ server, http, client, random, expect$ }) => {
        server.on('GET /a', [503, reply(200, { json: 1 })]).on('GET /b', [503]);
        expect$(http.get('a')).toBeMarbles(' 250ms (a|)', { a: 1 });
        expect$(client({ retry: false }).get('b')).toFailWith({ status: 503 });
        expect(random()).toBe(0.25);
      },
      { random: 0.25 },
    ));

  it('reads dates of the virtual clock', () =>
    marbles(({ server, http, date, expect$ }) => {
      expect(date('90s')).toBe('Thu, 01 Jan 1970 00:01:30 GMT');
      server.on('GET /', [reply(429, { headers: { 'retry-after': date(3000) } }), reply(200, { json: 1 })]);
      expect$(http.get('/')).toBeMarbles('3s (a|)', { a: 1 });
    }));

  it('reads a body that stalls through the ordinary pipeline', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /', '5ms a', { a: reply(200, { chunks: 'a 5s b|', values: { a: '{"id":', b: '1}' } }) });
      expect$(http.get('/')).toBeMarbles('5ms 5s --(a|)', { a: { id: 1 } });
    }));

  it('sees the body of a failed attempt cancelled before the next', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /', [reply(503, { chunks: 'a' }), reply(200, { json: 1 })]);
      expect$(http.get('/')).toBeMarbles('500ms (a|)', { a: 1 });
      expect$(server).toHaveRequests('a 499ms b', { a: { cancelledAt: 250 }, b: { cancelledAt: undefined } });
    }));

  it('sees when a request is given up, before its answer or in its body', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /body', [reply(200, { chunks: 'a' })]).on('GET /head', ['hang']);
      expect$(http.get('body'), '^ 2s !').toBeMarbles('');
      expect$(http.get('head'), '^ 3s !').toBeMarbles('');
      expect$(server).toHaveRequests('(ab)', {
        a: { path: '/body', answeredAt: 0, abortedAt: 2001 },
        b: { path: '/head', abortedAt: 3001 },
      });
    }));
});
