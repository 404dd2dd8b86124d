import { firstValueFrom } from 'rxjs';
import { ajax, type AjaxConfig, AjaxError } from 'rxjs/ajax';
import { describe, expect, it } from 'vitest';
import { policies, type RetryEvent, retryAfter, retryReport } from 'coldfetch';
import { NodeXhr } from './NodeXhr.js';
import { longTimers } from '../support/longTimers.js';
import { type Report, throttled } from './support.js';

/** A request by the real `ajax`, over the stand-in. */
const request = (config: AjaxConfig) => ajax<Report>({ createXHR: () => new NodeXhr() as never, ...config });

describe('retryAfter over ajax', () => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { url, statuses } = await throttled(1);
    const events: RetryEvent[] = [];
    const source$ = request({ url }).pipe(retryAfter({ ...policies.api, notify: (event) => void events.push(event) }));
    expect((await firstValueFrom(source$)).response).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
    expect(events).toEqual([expect.objectContaining({ source: 'retryAfter', status: 429 })]);
  });

  it('ends at once with the very reason of a signal that aborts in the wait', async () => {
    const { url, statuses } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    await expect(firstValueFrom(request({ url }).pipe(retryAfter({ signal: controller.signal, notify })))).rejects.toBe(reason);
    expect(statuses()).toEqual([429]);
  });

  it('leaves no wait behind when it is unsubscribed', async () => {
    const { url, statuses } = await throttled(60);
    const waits = longTimers();
    const subscription = request({ url }).pipe(retryAfter()).subscribe();
    await expect.poll(() => waits.size).toBe(1);
    subscription.unsubscribe();
    expect(waits.size).toBe(0);
    expect(statuses()).toEqual([429]);
  });

  it('does not take progress events for output where it is told which they are', async () => {
    const { url, statuses } = await throttled(1);
    const source$ = request({ url, includeDownloadProgress: true }).pipe(
      retryAfter({ ...policies.api, isProgress: ({ type }) => type !== 'download_load' }),
    );
    expect(await firstValueFrom(source$)).toBeDefined();
    expect(statuses()).toEqual([429, 200]);
  });

  it.each([
    ['GET', { attempts: 4, reason: 'exhausted' }],
    ['POST', { attempts: 1, reason: 'not-replayable' }],
  ])('retries a connection that fails only where the method allows it: %s', async (method, report) => {
    const failure = await firstValueFrom(
      request({ url: 'http://127.0.0.1:2', method }).pipe(retryAfter({ ...policies.batch, random: () => 0 })),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AjaxError);
    expect(retryReport(failure)).toMatchObject(report);
  });
});
