import { tap, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { coldFetch, createClient, policies, retryAfter } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { jsonLog, type JsonLogOptions } from '../../src/operation/jsonLog.js';

const random = (): number => 0.5;
const SECRET = 'hunter2';

function lines(options: JsonLogOptions = {}) {
  const written: string[] = [];
  const parsed = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { written, parsed, log: jsonLog({ ...options, write: (line) => written.push(line) }) };
}

describe('jsonLog', () => {
  it('writes a line for each wait and for giving up', () =>
    marbles(({ expect$, flush }) => {
      const { log, parsed } = lines();
      const fetch = scriptedFetch([reply(429, { headers: { 'retry-after': '90' } }), reply(404)]);
      const response$ = coldFetch('https://api.test/users', { fetch }).pipe(retryAfter({ ...policies.standard, notify: log }));
      expect$(response$).toBeMarbles('60s #', {}, { name: 'HttpError', status: 404 });
      flush();
      expect(parsed()).toEqual([
        {
          time: '1970-01-01T00:00:00.000Z',
          type: 'wait',
          attempt: 1,
          kind: 'throttled',
          delay: 60_000,
          source: 'retryAfter',
          capped: true,
          status: 429,
          elapsed: 0,
          origin: 'https://api.test',
          error: { name: 'HttpError', message: 'GET https://api.test/users: 429' },
        },
        {
          time: '1970-01-01T00:01:00.000Z',
          type: 'gave-up',
          attempt: 2,
          reason: 'terminal',
          status: 404,
          elapsed: 60_000,
          origin: 'https://api.test',
          error: { name: 'HttpError', message: 'GET https://api.test/users: 404' },
        },
      ]);
    }));

  it('names the request by its id, and the failure by its code', () =>
    marbles(({ expect$, flush }) => {
      const { log, parsed } = lines();
      const fetch = scriptedFetch(['network ECONNREFUSED', reply(200, { json: 1 })]);
      const http = createClient({ fetch, requestIdHeader: 'x-request-id', retry: { random, notify: log } });
      expect$(http.get('https://api.test/a', { headers: { 'x-request-id': 'r-1' } })).toBeMarbles('500ms (a|)', { a: 1 });
      flush();
      expect(parsed()).toEqual([
        expect.objectContaining({
          kind: 'transient',
          source: 'backoff',
          requestId: 'r-1',
          error: { name: 'NetworkError', code: 'ECONNREFUSED', message: expect.stringContaining('GET https://api.test/a') },
        }),
      ]);
    }));

  it('hears of waits at the gate of a client', () =>
    marbles(({ expect$, flush }) => {
      const { log, parsed } = lines();
      const fetch = scriptedFetch([reply(429, { headers: { 'retry-after': '3' } }), reply(200, { json: 1 })]);
      const http = createClient({ fetch, retry: { random, notify: log } });
      expect$(http.get('https://api.test/a')).toBeMarbles('3s (a|)', { a: 1 });
      flush();
      expect(parsed()).toContainEqual(expect.objectContaining({ type: 'wait', kind: 'throttled', attempt: 1, status: 429, delay: 3000 }));
    }));

  it('observes all events of a client, progress if asked', () =>
    marbles(({ http, server, flush }) => {
      const all = lines({ events: 'all' });
      const progress = lines({ events: 'progress' });
      server.on('GET /users', [reply(200, { json: [] })]);
      http.get('/users?page=2', { observe: 'events' }).pipe(tap(all.log)).subscribe(progress.log);
      flush();
      expect(all.parsed().map(({ type }) => type)).toEqual(['sent', 'headers', 'response']);
      expect(progress.parsed().map(({ type }) => type)).toEqual(['sent', 'headers', 'download', 'response']);
      expect(all.parsed().at(-1)).toEqual(expect.objectContaining({ status: 200, url: 'https://api.test/users' }));
    }));

  it('writes no header field, body, query or credential', () =>
    marbles(({ flush }) => {
      const { log, written } = lines({ events: 'progress' });
      const fetch = scriptedFetch([
        reply(429, { headers: { 'retry-after': '1', 'set-cookie': SECRET }, json: { token: SECRET } }),
        reply(200, { json: { token: SECRET } }),
      ]);
      const http = createClient({ fetch, headers: { authorization: `Bearer ${SECRET}` } });
      http.get(`https://api.test/a?token=${SECRET}`, { observe: 'events' }).subscribe(log);
      flush();
      expect(written.length).toBeGreaterThan(4);
      expect(written.join('\n')).not.toContain(SECRET);
    }));

  it.each([
    ['a URL with a query', `Http failure response for https://api.test/a?token=${SECRET}: 429`],
    ['a path with a query', `Http failure response for /a?token=${SECRET}: 429`],
    ['a URL with credentials', `cannot fetch (https://me:${SECRET}@api.test/a)`],
    ['a credential', `Headers.append: "Bearer ${SECRET}" is an invalid header value`],
  ])('cleans the messages of other libraries: %s', (_, message) =>
    marbles(({ flush }) => {
      const { log, written } = lines();
      const failure = { name: 'HttpErrorResponse', status: 404, headers: new Headers(), message };
      throwError(() => failure)
        .pipe(retryAfter({ notify: log }))
        .subscribe({ error: () => {} });
      flush();
      expect(written).toHaveLength(1);
      expect(written[0]).not.toContain(SECRET);
    }),
  );

  it('writes one line whatever a message holds, and errors that are none', () => {
    const { log, written, parsed } = lines();
    const about = { type: 'gave-up', attempt: 1, reason: 'terminal', elapsed: 0 } as const;
    log({ ...about, error: new Error('two\nlines') });
    log({ ...about, error: 'a word' });
    log({ ...about, error: undefined });
    log({ ...about, error: { status: 500 } });
    expect(written.filter((line) => line.includes('\n'))).toEqual([]);
    expect(parsed().map(({ error }) => error)).toEqual([
      { name: 'Error', message: 'two\nlines' },
      { message: 'a word' },
      { message: 'undefined' },
      { message: '' },
    ]);
  });

  it('writes nothing that a terminal acts on, and no message without end', () => {
    const { log, written, parsed } = lines();
    log({ type: 'gave-up', attempt: 1, reason: 'terminal', elapsed: 0, error: new Error(`\x1b[2J\x9b\u202e${'x'.repeat(70_000)}`) });
    expect(written[0]).toMatch(/^[ -~]{1,5000}$/);
    expect(parsed()[0]).toMatchObject({ error: { message: expect.stringMatching(/^\x1b\[2J\x9b\u202ex/) } });
  });

  it('writes to standard error unless told otherwise', () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    jsonLog()({ type: 'gave-up', attempt: 1, reason: 'terminal', elapsed: 0, error: new Error('no') });
    expect(written).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"gave-up"'));
    written.mockRestore();
  });
});
