import { describe, expect, it } from 'vitest';
import { buildOf, call, formOf, post, serve, signed } from './support.js';

describe('a flaky server', () => {
  it('answers two 503s for each method and URL, then fine', async () => {
    const server = await serve({ flaky: '*' });
    const statuses = async (method: string, path: string, body?: unknown): Promise<number[]> => {
      const seen: number[] = [];
      for (let n = 0; n < 4; n++) seen.push((await call(server, method, path, body)).status);
      return seen;
    };
    expect(await statuses('GET', 'project')).toEqual([503, 503, 200, 200]);
    expect(await statuses('POST', 'builds', buildOf([]))).toEqual([503, 503, 201, 201]);
  });

  it('is so for the chosen routes only', async () => {
    const server = await serve({ flaky: ['POST /storage/*', 'GET /v2/builds'] });
    expect((await call(server, 'GET', 'project')).status).toBe(200);
    const [upload] = await signed(server, 'file');
    if (upload === undefined) throw new Error('nothing to upload');
    expect(await post(upload, formOf(upload, 'file'))).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
    expect((await post(upload, formOf(upload, 'file'))).status).toBe(503);
    expect((await post(upload, formOf(upload, 'file'))).status).toBe(204);
  });

  it('fails as often, with the status and Retry-After, as it is told', async () => {
    const server = await serve({ flaky: { routes: '/v2/project', failures: 1, status: 500, retryAfter: 7 } });
    const failure = await call(server, 'GET', 'project');
    expect(failure.status).toBe(500);
    expect(failure.headers.get('retry-after')).toBe('7');
    expect((await call(server, 'GET', 'project')).status).toBe(200);
  });

  it('turns clients away with a 429 where it is told to', async () => {
    const server = await serve({ flaky: { routes: '*', failures: 1, status: 429, retryAfter: 1 } });
    const { status, headers, json } = await call(server, 'GET', 'project');
    expect([status, headers.get('retry-after'), json.error]).toEqual([429, '1', 'Too Many Requests']);
    expect([(await call(server, 'GET', 'project')).status, server.counts.throttled]).toEqual([200, 1]);
  });

  it('sees the query where the pattern has one', async () => {
    const server = await serve({ flaky: '/v2/project?*page=4*' });
    expect((await call(server, 'GET', 'project?page=3')).status).toBe(200);
    expect((await call(server, 'GET', 'project?page=4')).status).toBe(503);
  });
});
