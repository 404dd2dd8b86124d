import { expect, describe, it, onTestFinished } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { loopback } from '../support/loopback.js';
import { needsChromium } from '../support/needs.js';
import { serve } from './support.js';

const PAGE = 'https://app.example';
const PREFLIGHT = {
  origin: PAGE,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,x-argos-request-id',
};

/** The CORS fields of an answer. */
const corsFields = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('a server with cors', () => {
  it('answers a preflight with the fields that it asks for, outside of the limit', async () => {
    const { apiUrl } = await serve({ cors: true, limit: { requests: 1 } });
    for (let i = 0; i < 3; i++) {
      const response = await fetch(new URL('builds/1', apiUrl), { method: 'OPTIONS', headers: PREFLIGHT });
      expect([response.status, corsFields(response)]).toEqual([
        204,
        {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': 'authorization,x-argos-request-id',
          'access-control-max-age': '600',
        },
      ]);
    }
  });

  it('shows pages the fields that clients wait by, on a 429 and on errors too', async () => {
    const { apiUrl } = await serve({ cors: true, limit: { requests: 1 } });
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) {
      const response = await fetch(new URL('project', apiUrl), { headers: { origin: PAGE } });
      statuses.push(response.status);
      expect(corsFields(response)).toEqual({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy, ETag, Link, Location, Date',
      });
    }
    expect(statuses).toEqual([401, 429]);
  });

  it('lets in the pages that it is told, and tells caches that answers differ', async () => {
    const { url } = await serve({ cors: { origins: [PAGE], exposed: [] } });
    const [known, unknown] = await Promise.all([PAGE, 'https://other.example'].map((origin) => fetch(url, { headers: { origin } })));
    expect(known && [corsFields(known), known.headers.get('vary')]).toEqual([{ 'access-control-allow-origin': PAGE }, 'Origin']);
    expect(unknown && [corsFields(unknown), unknown.headers.get('vary')]).toEqual([{}, 'Origin']);
  });

  it('says nothing of origins unless it is told to', async () => {
    const { url } = await serve();
    expect(corsFields(await fetch(url, { headers: { origin: PAGE } }))).toEqual({});
  });
});

needsChromium('a page of another origin', () => {
  it('reads a 429 and its Retry-After', async () => {
    const { apiUrl } = await serve({ cors: true, limit: { requests: 1, windowMs: 60_000 } });
    const page = await loopback((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'));
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(page.url);
    const ask = (url: string): Promise<[number, string | null]> =>
      tab.evaluate(async (address) => {
        const response = await fetch(address, { headers: { authorization: 'Bearer any' } });
        return [response.status, response.headers.get('retry-after')] as [number, string | null];
      }, url);
    expect(await ask(`${apiUrl}project`)).toEqual([200, null]);
    expect(await ask(`${apiUrl}project`)).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });
});
