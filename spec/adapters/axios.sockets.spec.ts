import axios, { type AxiosError, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { defer, firstValueFrom, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { asFetch, type AsFetchOptions, policies, type RetryEvent, retryAfter, retryReport } from 'coldfetch';
import { longTimers } from '../support/longTimers.js';
import { type Report, throttled } from './support.js';

/** A request by axios as a cold observable: unsubscribing and the end of a wait abort it. */
function request<T>(config: AxiosRequestConfig): Observable<AxiosResponse<T>> {
  return defer(() => axios.request<T>(config));
}

describe.each(['http', 'fetch'] as const)('retryAfter over axios with its %s adapter', (adapter) => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { url, statuses } = await throttled(1);
    const events: RetryEvent[] = [];
    const source$ = request<Report>({ url, adapter }).pipe(retryAfter({ ...policies.api, notify: (event) => void events.push(event) }));
    expect((await firstValueFrom(source$)).data).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
    expect(events).toEqual([expect.objectContaining({ source: 'retryAfter', status: 429 })]);
  });

  it('ends at once with the very reason of a signal that aborts in the wait', async () => {
    const { url, statuses } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    const source$ = request({ url, adapter }).pipe(retryAfter({ signal: controller.signal, notify }));
    await expect(firstValueFrom(source$)).rejects.toBe(reason);
    expect(statuses()).toEqual([429]);
  });

  it('leaves no wait behind when it is unsubscribed', async () => {
    const { url, statuses } = await throttled(60);
    const waits = longTimers();
    const subscription = request({ url, adapter }).pipe(retryAfter()).subscribe();
    await expect.poll(() => waits.size).toBe(1);
    subscription.unsubscribe();
    expect(waits.size).toBe(0);
    expect(statuses()).toEqual([429]);
  });

  it('retries a connection that fails', async () => {
    const policy = { ...policies.batch, random: () => 0 };
    const failure = await firstValueFrom(request({ url: 'http://127.0.0.1:2', adapter }).pipe(retryAfter(policy))).catch(
      (error: unknown) => error,
    );
    expect(axios.isAxiosError(failure)).toBe(true);
    expect(retryReport(failure)).toMatchObject({ attempts: 4, reason: 'exhausted' });
  });

  it('does not retry what axios itself has cancelled', async () => {
    const { url } = await throttled(60);
    const controller = new AbortController();
    controller.abort();
    const failure = await firstValueFrom(request({ url, adapter, signal: controller.signal }).pipe(retryAfter())).catch(
      (error: unknown) => error as AxiosError,
    );
    expect(retryReport(failure)).toMatchObject({ attempts: 1, reason: 'terminal' });
  });

  it('knows the method: a POST that failed is not repeated', async () => {
    const url = 'http://127.0.0.1:2';
    const failure = await firstValueFrom(request({ url, method: 'post', data: {}, adapter }).pipe(retryAfter(policies.api))).catch(
      (error: unknown) => error,
    );
    expect(retryReport(failure)).toMatchObject({ attempts: 1, reason: 'not-replayable' });
  });
});

describe('axios over asFetch', () => {
  const create = (options: AsFetchOptions = {}) => axios.create({ adapter: 'fetch', env: { fetch: asFetch(options) } });

  it('waits as long as the server asks, then has its answer', async () => {
    const { url, statuses } = await throttled(1);
    expect((await create().get<Report>(url)).data).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
  });

  it('sends a body again', async () => {
    const { url, requests } = await throttled(1);
    expect((await create().put(url, { name: 'new' })).status).toBe(200);
    expect(requests.map(({ body }) => body)).toEqual(['{"name":"new"}', '{"name":"new"}']);
  });

  it('fails with an error of its own', async () => {
    const { url } = await throttled(60);
    const failure = await create({ retry: false })
      .get(url)
      .catch((error: unknown) => error as AxiosError);
    expect(axios.isAxiosError(failure) && failure.response?.status).toBe(429);
  });

  it('ends a wait when axios cancels', async () => {
    const { url, statuses } = await throttled(60);
    const waits = longTimers();
    const controller = new AbortController();
    const answer = create()
      .get(url, { signal: controller.signal })
      .catch((error: unknown) => error);
    await expect.poll(() => waits.size).toBe(1);
    controller.abort();
    expect(axios.isCancel(await answer)).toBe(true);
    expect(waits.size).toBe(0);
    expect(statuses()).toEqual([429]);
  });
});
