import { createClient, type HttpEvent, policies, type RetryEvent } from 'coldfetch';
import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notifier } from '../../src/operation/events.js';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { answering, fine, tooMany } from '../support/pipeline.js';

const event: RetryEvent = { type: 'gave-up', attempt: 1, reason: 'terminal', elapsed: 0, error: new Error('lost') };

describe('notifier', () => {
  afterEach(() => {
    config.onUnhandledError = null;
    vi.useRealTimers();
  });

  it('tells a function, an observer, or nobody', () => {
    const heard: RetryEvent[] = [];
    notifier((each) => heard.push(each))(event);
    notifier({ next: (each) => heard.push(each) })(event);
    notifier(undefined)(event);
    expect(heard).toEqual([event, event]);
  });

  it('keeps an observer’s own this', () => {
    const observer = {
      heard: 0,
      next() {
        this.heard++;
      },
    };
    notifier(observer)(event);
    expect(observer.heard).toBe(1);
  });

  it('reports what a listener throws as an unhandled error, and goes on', () => {
    vi.useFakeTimers();
    const reported: unknown[] = [];
    config.onUnhandledError = (error) => reported.push(error);
    const thrown = new Error('logging failed');
    const notify = notifier(() => {
      throw thrown;
    });
    expect(() => notify(event)).not.toThrow();
    vi.runAllTimers();
    expect(reported).toEqual([thrown]);
  });
});

describe('the event of a wait', () => {
  it.each([
    [998.57, 999],
    [0.2, 1],
    [1000.000_000_1, 1000],
    [0, 0],
  ])('tells %d ms as %d, and is timed as it is', (delay, told) => {
    const server = answering((n) => (n === 1 ? tooMany() : fine()), 0);
    const events: HttpEvent[] = [];
    virtualTime(() => {
      const rules = { throttled: { ...policies.standard.rules.throttled, backoff: () => delay } };
      const http = createClient({ fetch: server, pace: false, retry: { ...policies.standard, rules } });
      http.get('https://api.test/', { observe: 'events' }).subscribe((event) => events.push(event));
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'wait', delay: told, until: told }));
    expect(server.at).toEqual([0, delay]);
  });
});
