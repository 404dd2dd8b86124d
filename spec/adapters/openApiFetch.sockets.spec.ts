import createOpenApiClient, { type Client } from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { asFetch, type AsFetchOptions, policies, retryReport } from 'coldfetch';
import { type Report, throttled } from './support.js';

/** Types as `openapi-typescript` would generate them from the server's description. */
interface Paths {
  '/{name}': {
    parameters: { path: { name: string } };
    get: {
      parameters: { path: { name: string } };
      responses: { 200: { content: { 'application/json': Report } }; 429: { content: { 'text/plain': string } } };
    };
    put: {
      parameters: { path: { name: string } };
      requestBody: { content: { 'application/json': { text: string } } };
      responses: { 200: { content: { 'application/json': Report } } };
    };
  };
}

/** openapi-fetch has no retries of its own; a middleware that retries would be a second owner. */
function client(baseUrl: string, options: AsFetchOptions): Client<Paths> {
  return createOpenApiClient<Paths>({ baseUrl, fetch: asFetch(options) });
}

const report = { params: { path: { name: 'report' } } };

describe('openapi-fetch over asFetch', () => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { origin, statuses } = await throttled(1);
    const { data } = await client(origin, { retry: policies.api }).GET('/{name}', report);
    expect(data).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
  });

  it('sends the body of its Request again', async () => {
    const { origin, requests } = await throttled(1);
    const { data } = await client(origin, { retry: policies.api }).PUT('/{name}', { ...report, body: { text: 'new' } });
    expect(data).toMatchObject({ name: 'report' });
    expect(requests.map(({ body }) => body)).toEqual(['{"text":"new"}', '{"text":"new"}']);
  });

  it('ends at once with the very reason of a signal that aborts in the wait', async () => {
    const { origin, statuses } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    const answer = client(origin, { retry: { notify } }).GET('/{name}', { ...report, signal: controller.signal });
    await expect(answer).rejects.toBe(reason);
    expect(statuses()).toEqual([429]);
  });

  it('hands the last answer over as its own kind of error when retries run out', async () => {
    const { origin, statuses } = await throttled(60);
    const { error, response } = await client(origin, { retry: policies.interactive }).GET('/{name}', report);
    expect(error).toContain('Too many requests');
    expect(response.status).toBe(429);
    expect(retryReport(response)?.reason).toBe('deadline');
    expect(statuses()).toEqual([429]);
  });
});
