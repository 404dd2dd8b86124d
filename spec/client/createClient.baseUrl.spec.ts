import { of, throwError } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, UsageError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { client, field } from './createClient.support.js';

describe('a base URL', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  describe('that is relative', () => {
    it.each([
      ['/api', 'https://app.test/shop/cart?x=1', 'https://app.test/api/users'],
      ['/', 'https://app.test/shop/cart', 'https://app.test/users'],
      ['api/v2', 'https://app.test/shop/', 'https://app.test/shop/api/v2/users'],
      ['/api?key=1', 'http://localhost:4200/', 'http://localhost:4200/api/users?key=1'],
    ])('%s belongs to the page %s', (baseUrl, baseURI, expected) => {
      vi.stubGlobal('document', { baseURI });
      const { http, sent } = client({ baseUrl });
      http.get('users').subscribe();
      expect(sent()).toEqual([`GET ${expected}`]);
    });

    it('belongs to a worker, which has no document', () => {
      vi.stubGlobal('location', { href: 'https://app.test/worker.js' });
      const { http, sent } = client({ baseUrl: '/api' });
      http.get('users').subscribe();
      expect(sent()).toEqual(['GET https://app.test/api/users']);
    });

    it.each([
      ['the page before the origin that is given', 'https://app.test/', 'https://app.test/api/users'],
      ['that origin where there is no page', undefined, 'http://127.0.0.1:4000/api/users'],
      ['that origin where the page has none', 'about:blank', 'http://127.0.0.1:4000/api/users'],
    ])('belongs to %s', (_, href, expected) => {
      vi.stubGlobal('location', href && { href });
      const { http, sent } = client({ baseUrl: '/api', origin: 'http://127.0.0.1:4000' });
      http.get('users').subscribe();
      expect(sent()).toEqual([`GET ${expected}`]);
    });

    it('keeps the client’s header fields at that origin', () => {
      vi.stubGlobal('location', { href: 'https://app.test/' });
      const { http, fetch } = client({ baseUrl: '/api', headers: { 'x-key': '1' } });
      http.get('users').subscribe();
      http.get('https://other.test/').subscribe();
      expect([field(fetch, 'x-key'), field(fetch, 'x-key', 1)]).toEqual(['1', null]);
    });

    it('is refused where nothing says what it is relative to', () => {
      const refused = 'baseUrl is /api, and no page is here that it could be relative to; give an absolute URL, or the option origin';
      expect(() => createClient({ baseUrl: '/api' })).toThrow(refused);
      for (const href of ['about:blank', 'blob:https://app.test/1']) {
        vi.stubGlobal('location', { href });
        const elsewhere = refused.replace('no page is here', 'the URL of this page or worker is none');
        expect(() => createClient({ baseUrl: '/api' })).toThrow(elsewhere);
      }
    });
  });

  it.each([
    ['baseUrl is empty', { baseUrl: '' }],
    ['baseUrl is ftp://api.test', { baseUrl: 'ftp://api.test' }],
    ['baseUrl is mailto:me', { baseUrl: 'mailto:me', origin: 'https://api.test' }],
    ['createClient: origin is localhost:4000; give an absolute', { baseUrl: '/', origin: 'localhost:4000' }],
    ['createClient: origin is https://api.test; give a baseUrl', { origin: 'https://api.test' }],
  ])('is refused: %s', (message, options) => {
    expect(() => createClient(options)).toThrow(UsageError);
    expect(() => createClient(options)).toThrow(message);
  });

  describe('that is a function', () => {
    it('is asked once for each operation, and all attempts go there', () =>
      marbles(({ expect$, flush }) => {
        const hosts = ['a', 'b', 'c'];
        const baseUrl = vi.fn(() => `https://${String(hosts.shift())}.test/v2`);
        const { http, sent } = client({ baseUrl, retry: { random: () => 0 } }, [503, 503, 200, 200]);
        expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
        flush();
        http.get('/users').subscribe();
        expect(sent()).toEqual([...Array<string>(3).fill('GET https://a.test/v2/users'), 'GET https://b.test/v2/users']);
      }));

    it('may answer later', async () => {
      const { http, sent } = client({ baseUrl: () => Promise.resolve(new URL('https://a.test')) });
      http.get('users').subscribe();
      await expect.poll(() => sent()).toEqual(['GET https://a.test/users']);
    });

    it.each<[string, () => never]>([
      ['baseUrl is empty', () => '' as never],
      ['baseUrl: the observable completed without a value', () => of() as never],
      ['no configuration', () => throwError(() => new Error('no configuration')) as never],
    ])('fails the operation: %s', async (message, baseUrl) => {
      const { http, fetch } = client({ baseUrl });
      expect(String(await errorOf(http.get('users')))).toContain(message);
      expect(fetch.requests).toEqual([]);
    });
  });
});
