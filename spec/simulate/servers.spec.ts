import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../src/simulate/servers/fixedWindow.js';
import { slidingWindow } from '../../src/simulate/servers/slidingWindow.js';
import { tokenBucket } from '../../src/simulate/servers/tokenBucket.js';

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
});
