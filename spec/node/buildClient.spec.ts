import { isUsageError } from 'coldfetch';
import { buildClient } from 'coldfetch/node';
import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { failureOf } from '../support/failureOf.js';
import { answering, fine, tooMany } from '../support/pipeline.js';

describe('buildClient', () => {
  it('sends token, request id and attempt to the API', async () => {
    const sent: [string, Headers][] = [];
    const http = buildClient({
      token: 'secret',
      headers: { 'x-mine': 'yes' },
      fetch: (input, init) => {
        sent.push([input as string, new Headers(init.headers)]);
        return of(new Response('{}'));
      },
    });
    await lastValueFrom(http.get('project'));
    const [[url, headers] = ['', new Headers()]] = sent;
    expect(url).toBe('https://api.argos-ci.com/v2/project');
    expect(Object.fromEntries(headers)).toMatchObject({ authorization: 'Bearer secret', 'x-mine': 'yes', 'x-argos-retry-attempt': '0' });
    expect(headers.get('x-argos-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it('sends one request first, and waits for an announced quota however long it takes', () => {
    const headers = { ratelimit: '"w"; r=0; t=7200', 'ratelimit-policy': '"w"; q=2; w=7200' };
    const server = answering((n) => (n === 1 ? tooMany(headers) : fine()));
    virtualTime(() => {
      const http = buildClient({ token: 'secret', fetch: server });
      for (let i = 0; i < 2; i++) http.put('builds/1', null).subscribe();
    });
    expect(server.at[0]).toBe(0);
    expect(server.at.slice(1).every((at) => at >= 7_200_000)).toBe(true);
    expect(server.at).toHaveLength(3);
  });

  it.each([undefined, null, {}, { token: undefined }, { token: 5 }])('refuses %o, which has no token', (options) => {
    const error = failureOf(() => buildClient(options as never));
    expect(isUsageError(error)).toBe(true);
    expect(error.message).toBe("buildClient: there is no token; give { token }, a string from the project's settings");
  });

  it.each(['', 'two words', 'line\nbreak', 'tökén'])('refuses the token %j without showing it', (token) => {
    const error = failureOf(() => buildClient({ token }));
    expect(isUsageError(error)).toBe(true);
    expect(error.message).toMatch(/^The token is (empty|malformed)/);
    if (token !== '') expect(error.message).not.toContain(token);
  });
});
