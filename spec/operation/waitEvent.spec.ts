import { describe, expect, it } from 'vitest';
import { createClient, type HttpEvent, policies } from 'coldfetch';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { answering, fine, tooMany } from '../support/pipeline.js';

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
