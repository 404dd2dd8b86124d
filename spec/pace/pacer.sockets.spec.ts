import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf, concurrency, createClient, type HttpClient, pacer, policies } from 'coldfetch';

/** A server behind a real limiter, and what arrived there: when, by ms since the first, and how it was answered. */
async function serve(limiter: RequestHandler): Promise<{ url: string; arrivals: { at: number; status: number }[] }> {
  const arrivals: { at: number; status: number }[] = [];
  let first = 0;
  const app = express()
    .use((_request, response, next) => {
      first ||= performance.now();
      const at = performance.now() - first;
      response.on('finish', () => arrivals.push({ at, status: response.statusCode }));
      next();
    })
    .use(limiter)
    .use((_request, response) => void response.status(201).end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrivals };
}

const windows = (limit: number, windowMs: number): RequestHandler =>
  rateLimit({ windowMs, limit, standardHeaders: 'draft-8', legacyHeaders: false, validate: false });

const uploader = (baseUrl: string, atOnce = 10): HttpClient =>
  createClient({ baseUrl, retry: policies.upload, pace: { limiter: allOf(concurrency(atOnce), pacer()) } });

const upload = (http: HttpClient, files: number): Promise<unknown[]> =>
  lastValueFrom(
    from(Array.from({ length: files }, (_, i) => i)).pipe(
      mergeMap((i) => http.put(`files/${i}`, null)),
      toArray(),
    ),
  );

describe('a pacer at a real server', () => {
  it('brings a single uploader of 120 files through a limit of 30 per 5 s with one 429 at most', async () => {
    const { url, arrivals } = await serve(windows(30, 5000));
    await upload(uploader(url), 120);
    const rejected = arrivals.filter(({ status }) => status === 429).length;
    expect(rejected).toBeLessThanOrEqual(1);
    expect(arrivals).toHaveLength(120 + rejected);
  });

  it('sends none of 50 parallel requests in the 5 s that the first 429 asks for', async () => {
    let requests = 0;
    const { url, arrivals } = await serve((_request, response, next) => {
      if (++requests > 1) next();
      else response.status(429).set('retry-after', '5').end();
    });
    await upload(uploader(url, 50), 50);
    expect(arrivals.map(({ status }) => status)).toEqual([429, ...Array<number>(50).fill(201)]);
    expect(arrivals[1]?.at).toBeGreaterThanOrEqual(5000);
  });

  it('shares a window between clients that know nothing of each other, and loses no upload', async () => {
    const { url, arrivals } = await serve(windows(30, 3000));
    await Promise.all([1, 2, 3].map(() => upload(uploader(url), 20)));
    expect(arrivals.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(arrivals.length).toBeLessThanOrEqual(60 * 1.5);
  });
});
