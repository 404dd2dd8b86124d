import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RetryEvent } from 'coldfetch';
import { notifier } from '../../src/operation/notifier.js';

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
    const tell = notifier(() => {
      throw thrown;
    });
    expect(() => tell(event)).not.toThrow();
    vi.runAllTimers();
    expect(reported).toEqual([thrown]);
  });
});
