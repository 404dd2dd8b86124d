import { describe, expect, it } from 'vitest';
import { call, formOf, post, serve, signed } from './support.js';

describe('the rate limit of a server', () => {
  it('tells the quota on every answer, by draft 8', async () => {
    const server = await serve({ limit: { requests: 3, windowMs: 300_000 } });
    const { headers } = await call(server, 'GET', 'project');
    expect(headers.get('ratelimit-policy')).toMatch(/^"3-in-5min"; q=3; w=300; pk=:[\w+/=]+:$/);
    expect(headers.get('ratelimit')).toBe('"3-in-5min"; r=2; t=300');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('answers 429 in plain words, with the seconds to wait', async () => {
    const server = await serve({ limit: { requests: 1, windowMs: 60_000 } });
    await call(server, 'GET', 'project');
    const { status, headers, text } = await call(server, 'GET', 'project');
    expect(status).toBe(429);
    expect(text).toBe('Too many requests, please try again later.');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('ratelimit')).toMatch(/^"1-in-1min"; r=0; t=(60|5\d)$/);
    expect(headers.get('retry-after')).toMatch(/^(60|5\d)$/);
    expect(server.counts.throttled).toBe(1);
  });

  it('is checked before the token', async () => {
    const server = await serve({ limit: { requests: 1 }, token: 'right' });
    expect((await call(server, 'GET', 'project')).status).toBe(401);
    expect((await call(server, 'GET', 'project')).status).toBe(429);
  });

  it('opens again a window after the first request, whatever was rejected meanwhile', async () => {
    const server = await serve({ limit: { requests: 1, windowMs: 150 } });
    const status = async (): Promise<number> => (await call(server, 'GET', 'project')).status;
    await expect.poll(status, { interval: 0 }).toBe(429);
    await expect.poll(status).toBe(200);
  });

  it('leaves storage alone by default', async () => {
    const server = await serve({ limit: { requests: 1 } });
    const [upload] = await signed(server, 'file');
    if (upload === undefined) throw new Error('nothing to upload');
    expect((await post(upload, formOf(upload, 'file'))).status).toBe(204);
  });

  it("counts storage in the same window with routes: 'all'", async () => {
    const server = await serve({ limit: { requests: 2, routes: 'all' } });
    const [one, two] = await signed(server, 'one', 'two');
    if (one === undefined || two === undefined) throw new Error('nothing to upload');
    expect((await post(one, formOf(one, 'one'))).status).toBe(204);
    expect((await post(two, formOf(two, 'two'))).status).toBe(429);
    expect((await call(server, 'GET', 'project')).status).toBe(429);
  });

  it('is heard of by a 429 and its Retry-After only when it is not announced', async () => {
    const server = await serve({ limit: { requests: 1, windowMs: 60_000, announced: false } });
    const passed = await call(server, 'GET', 'project');
    const rejected = await call(server, 'GET', 'project');
    expect([passed.status, rejected.status, rejected.text]).toEqual([200, 429, 'Too many requests, please try again later.']);
    expect(rejected.headers.get('retry-after')).toMatch(/^(60|5\d)$/);
    for (const { headers } of [passed, rejected]) expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });

  it('sends no field when there is none', async () => {
    const { headers } = await call(await serve(), 'GET', 'project');
    expect(headers.get('ratelimit')).toBeNull();
  });
});
