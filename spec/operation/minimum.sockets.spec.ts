import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction } from 'express';
import { MemoryStore, rateLimit } from 'express-rate-limit';
import { forkJoin, map } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { coldFetch, policies, type PolicyName, retryAfter } from 'coldfetch';
import { EARLY } from '../support/early.js';

const CLIENTS = 8;
const WINDOW = 3000;

/** A real express-rate-limit: 2 requests a window. It counts the requests that came too early, before the time that it had named. */
async function limiter(): Promise<{ readonly url: string; readonly counts: { total: number; throttled: number; early: number } }> {
  const counts = { total: 0, throttled: 0, early: 0 };
  const notBefore = new Map<string, number>();
  const store = new MemoryStore();
  const app = express();
  const first: NextFunction[] = [];
  // The first requests of all clients are counted in one window, however far apart they come.
  app.use((_request, _response, next) => {
    if (first.push(next) === CLIENTS) for (const pass of first) pass();
    else if (first.length > CLIENTS) next();
  });
  app.use((request, response, next) => {
    const client = request.originalUrl;
    counts.total++;
    if (performance.now() < (notBefore.get(client) ?? 0) - EARLY) counts.early++;
    response.on('finish', () => {
      if (response.statusCode !== 429) return;
      counts.throttled++;
      notBefore.set(client, performance.now() + Number(response.getHeader('retry-after')) * 1000);
    });
    next();
  });
  app.use(rateLimit({ windowMs: WINDOW, limit: 2, standardHeaders: 'draft-8', legacyHeaders: false, validate: false, store }));
  app.get('/', (_, response) => void response.json(1));
  const server = await listening(createServer(app));
  onTestFinished(() => {
    store.shutdown();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, counts };
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('a minimum hint against a real express-rate-limit', () => {
  it.each<PolicyName>(['patient', 'api'])('is never undercut by any of 8 clients: %s', async (name) => {
    const { url, counts } = await limiter();
    const policy = policies[name];
    // Clients that are given the same moment and come together need a window for each two.
    const rules = Object.fromEntries(Object.entries(policy.rules).map(([kind, rule]) => [kind, { ...rule, retries: Infinity }]));
    const statuses = await new Promise<number[]>((resolve, reject) => {
      forkJoin(
        Array.from({ length: CLIENTS }, (_, client) =>
          coldFetch(`${url}?client=${client}`).pipe(
            retryAfter({ ...policy, rules }),
            map(({ status }) => status),
          ),
        ),
      ).subscribe({ next: resolve, error: reject });
    });
    expect(statuses).toEqual(Array(CLIENTS).fill(200));
    expect(counts.early).toBe(0);
    expect(counts.throttled).toBeGreaterThanOrEqual(CLIENTS - 2);
    expect(counts.total).toBe(CLIENTS + counts.throttled);
  });
});
