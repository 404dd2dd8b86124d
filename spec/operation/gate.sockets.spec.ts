import { firstValueFrom, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { asFetch, createClient, type HttpError, policies, retryReport } from 'coldfetch';
import { EARLY } from '../support/early.js';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';

/** A server whose first answers are 429s with a body that never ends, then 200s. */
function throttling(refusals: number, seconds: number) {
  let count = 0;
  return loopback((_request, response) => {
    if (++count > refusals) {
      response.end('"fine"');
      return;
    }
    response.writeHead(429, { 'retry-after': String(seconds) });
    response.write('too many');
  });
}

describe('a 429 whose body never ends', () => {
  it('holds no connection while its request waits at the gate', async () => {
    const server = await throttling(1, 60);
    const http = createClient({ baseUrl: server.url, retry: policies.upload });
    let waiting = false;
    const answer$ = http.get('a', { observe: 'events' }).pipe(tap((event) => (waiting ||= event.type === 'wait')));
    const subscription = answer$.subscribe();
    await expect.poll(() => waiting).toBe(true);
    await expect.poll(() => server.sockets.size).toBe(0);
    subscription.unsubscribe();
  });

  it('is readable as far as it had come, when the gate refuses the next attempt', async () => {
    const server = await throttling(9, 1);
    const http = createClient({ baseUrl: server.url, retry: { ...policies.upload, retries: 1 } });
    const failure = (await errorOf(http.get('a'))) as HttpError;
    expect([failure.status, failure.body, server.requests.length]).toEqual([429, 'too many', 2]);
    expect(retryReport(failure)).toMatchObject({ reason: 'exhausted', attempts: 2 });
  });

  it('is what asFetch resolves with', async () => {
    const server = await throttling(9, 60);
    const fetch = asFetch({ retry: { ...policies.api, deadline: 30_000 } });
    const response = await fetch(`${server.url}/a`);
    expect(response.status).toBe(429);
    const reader = response.body?.getReader();
    const first = (await reader?.read()) as { value?: Uint8Array } | undefined;
    expect(new TextDecoder().decode(first?.value)).toBe('too many');
    await reader?.cancel();
  });
});

describe('a client as it comes', () => {
  it('waits as the server asks and sends again, over real sockets', async () => {
    const server = await throttling(1, 1);
    const http = createClient({ baseUrl: server.url });
    const began = performance.now();
    expect(await firstValueFrom(http.get('a'))).toBe('fine');
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000 - EARLY);
    expect(server.requests).toHaveLength(2);
  });

  it('ends by a deadline without any retries', async () => {
    const server = await loopback(() => undefined);
    const http = createClient({ baseUrl: server.url, retry: false, deadline: 200 });
    const error = await errorOf(http.get('a'));
    expect(error).toMatchObject({ name: 'DeadlineError' });
  });
});
