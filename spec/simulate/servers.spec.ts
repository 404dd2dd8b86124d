import { describe, expect, it } from 'vitest';
import {
  withOtherClients,
  withBurstOfOthers,
  fixedWindow,
  misreporting,
  retryAfterOnly,
  type Server,
  slidingWindow,
  tokenBucket,
} from '../../src/simulate/servers.js';

describe('the simulated servers', () => {
  it('count a fixed window from its first request, rejected ones too', () => {
    const server = fixedWindow({ limit: 2, window: 10_000 });
    expect([500, 600, 700, 10_499, 10_500].map((at) => server(at).status)).toEqual([201, 201, 429, 429, 201]);
    expect(server(10_600).headers).toEqual({ 'ratelimit-policy': '"2"; q=2; w=10', ratelimit: '"2"; r=0; t=10' });
    expect(server(10_700).headers['retry-after']).toBe('10');
  });

  it('let a sliding window free what is a window old, and count accepted requests only', () => {
    const server = slidingWindow({ limit: 2, window: 10_000 });
    expect([0, 4000, 5000, 10_000, 13_000, 14_000].map((at) => server(at).status)).toEqual([201, 201, 429, 201, 429, 201]);
  });

  it('fill a bucket evenly', () => {
    const server = tokenBucket({ limit: 2, window: 10_000 });
    expect([0, 0, 0, 4999, 5000, 5001].map((at) => server(at).status)).toEqual([201, 201, 429, 429, 201, 429]);
  });

  it('may be used by others too, evenly or as soon as a window opens', () => {
    const rule = { limit: 4, window: 10_000 };
    const left = (server: Server, at: number) => server(at).headers.ratelimit;
    const shared = withOtherClients(fixedWindow(rule), rule, 0.5);
    expect([left(shared, 0), left(shared, 5001)]).toEqual(['"4"; r=3; t=10', '"4"; r=0; t=5']);
    const crowded = withBurstOfOthers(fixedWindow(rule), rule, 2);
    expect([left(crowded, 500), left(crowded, 600), left(crowded, 10_500)]).toEqual(['"4"; r=1; t=10', '"4"; r=0; t=10', '"4"; r=1; t=10']);
  });

  it('may say something else than what is left', () => {
    const rule = { limit: 4, window: 10_000 };
    const halved = misreporting(fixedWindow(rule), (left) => Math.floor(left / 2));
    expect(halved(0).headers).toEqual({ 'ratelimit-policy': '"4"; q=4; w=10', ratelimit: '"4"; r=1; t=10' });
  });

  it('may announce no quota, and ask for a delay alone', () => {
    const silent = retryAfterOnly(fixedWindow({ limit: 1, window: 10_000 }));
    expect([silent(0), silent(1)]).toEqual([
      { status: 201, headers: {} },
      { status: 429, headers: { 'retry-after': '10' } },
    ]);
  });
});
