import { Octokit } from '@octokit/core';
import { describe, expect, it } from 'vitest';
import { asFetch, type AsFetchOptions, policies, type RetryEvent } from 'coldfetch';
import { throttled } from './support.js';

/** `@octokit/core` brings no retries of its own: the plugins `retry` and `throttling`, which `octokit` and others add, are left out. */
function octokit(baseUrl: string, options: AsFetchOptions): Octokit {
  return new Octokit({ baseUrl, request: { fetch: asFetch(options) }, log: silent });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ROUTE = 'GET /report';

describe('Octokit over asFetch', () => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { origin, statuses } = await throttled(1);
    const events: RetryEvent[] = [];
    const client = octokit(origin, { retry: { ...policies.api, notify: (event) => void events.push(event) } });
    expect((await client.request(ROUTE)).data).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
    expect(events.filter(({ type }) => type === 'gave-up')).toEqual([]);
  });

  it('ends at once when its signal aborts in the wait', async () => {
    const { origin, statuses } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    const answer = octokit(origin, { retry: { notify } }).request(ROUTE, { request: { signal: controller.signal } });
    // Octokit wraps what its fetch rejects with.
    await expect(answer).rejects.toMatchObject({ name: 'HttpError', status: 500, cause: reason });
    expect(statuses()).toEqual([429]);
  });

  it('throws its own error, with the answer, when retries run out', async () => {
    const { origin, statuses } = await throttled(60);
    const answer = octokit(origin, { retry: policies.interactive }).request(ROUTE);
    await expect(answer).rejects.toMatchObject({ name: 'HttpError', status: 429 });
    expect(statuses()).toEqual([429]);
  });
});
