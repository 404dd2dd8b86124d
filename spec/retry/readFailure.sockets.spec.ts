import { runInNewContext } from 'node:vm';
import '@angular/compiler';
import { HttpErrorResponse, HttpHeaders } from '@angular/common/http';
import axios, { AxiosError } from 'axios';
import { defer, firstValueFrom, from, throwError, timeout } from 'rxjs';
import { ajax, type AjaxError } from 'rxjs/ajax';
import { describe, expect, it, vi } from 'vitest';
import { coldFetch, NetworkError, policies, retryAfter, type RetryPolicyInput, retryReport, TimeoutError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { readFailure } from '../../src/retry/readFailure.js';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';

const http503 = { 'retry-after': '3' };

describe('readFailure', () => {
  describe('reads Angular’s HttpErrorResponse', () => {
    it('as a response', () => {
      const error = new HttpErrorResponse({ status: 503, headers: new HttpHeaders(http503), url: 'https://api.test/' });
      expect(readFailure(error)).toMatchObject({ type: 'response', status: 503 });
      expect(readFailure(error).headers?.get('Retry-After')).toBe('3');
    });

    it('of status 0 as a lost connection', () => {
      expect(readFailure(new HttpErrorResponse({ status: 0, error: new TypeError('Failed to fetch') }))).toMatchObject({ type: 'network' });
    });

    it('of status 0 with the code of what led to it, terminal if that is', () => {
      const lost = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
      const failure = (code: string) => readFailure(new HttpErrorResponse({ status: 0, error: lost(code) }));
      expect(failure('ECONNREFUSED')).toMatchObject({ type: 'network', code: 'ECONNREFUSED' });
      expect(failure('CERT_HAS_EXPIRED')).toMatchObject({ type: 'terminal' });
    });

    it('of a body that did not parse as an answer that no rule takes', () =>
      marbles(({ cold, expect$ }) => {
        const error = new HttpErrorResponse({ status: 200, error: { error: new SyntaxError('no JSON'), text: '<' } });
        expect$(cold('#', undefined, error).pipe(retryAfter(policies.upload))).toBeMarbles('#', undefined, { status: 200 });
      }));

    it('and waits as it asks', () =>
      marbles(({ cold, expect$ }) => {
        const error = new HttpErrorResponse({ status: 429, headers: new HttpHeaders(http503) });
        const sources = [cold('#', undefined, error), cold('(a|)')];
        expect$(defer(() => sources.shift() ?? throwError(() => error)).pipe(retryAfter())).toBeMarbles('3s (a|)');
      }));
  });

  describe('reads RxJS', () => {
    /** The part of a browser that ajax needs: a request that ends as it is told, as those of RxJS's own specs do. */
    function xhr(end: (self: Record<string, unknown>) => void, fields: object): () => never {
      return () => {
        const request: Record<string, unknown> = {
          upload: {},
          open: () => undefined,
          setRequestHeader: () => undefined,
          getAllResponseHeaders: () => 'retry-after: 3',
          getResponseHeader: (name: string) => (name.toLowerCase() === 'retry-after' ? '3' : null),
          addEventListener: (type: string, listener: unknown) => (request[`on${type}`] = listener),
          send: () => end(request),
          abort: () => undefined,
          ...fields,
        };
        return request as never;
      };
    }
    const call = (self: Record<string, unknown>, name: string): void => {
      (self[name] as (event: object) => void)({ type: name.slice(2) });
    };

    it('AjaxError as a response, with its method and header fields', async () => {
      const createXHR = xhr((self) => call(self, 'onload'), { status: 503, response: {} });
      const error = await errorOf(ajax({ url: '/', method: 'POST', headers: { 'Idempotency-Key': '"a"' }, createXHR }));
      expect((error as AjaxError).name).toBe('AjaxError');
      const failure = readFailure(error);
      expect(failure).toMatchObject({ type: 'response', status: 503, request: { method: 'POST' } });
      expect(failure.headers?.get('retry-after')).toBe('3');
      expect(failure.request?.headers?.get('idempotency-key')).toBe('"a"');
    });

    it('AjaxError of status 0 as a lost connection', async () => {
      const createXHR = xhr((self) => call(self, 'onerror'), { status: 0, response: null });
      expect(readFailure(await errorOf(ajax({ url: '/', createXHR })))).toMatchObject({ type: 'network', request: { method: 'GET' } });
    });

    it('AjaxTimeoutError as a timeout', async () => {
      const createXHR = xhr((self) => call(self, 'ontimeout'), { status: 0, response: null });
      expect(readFailure(await errorOf(ajax({ url: '/', createXHR })))).toMatchObject({ type: 'timeout' });
    });

    it('TimeoutError as a timeout', () =>
      marbles(({ cold, expect$ }) => {
        expect$(cold('9ms (a|)').pipe(timeout(3), retryAfter(policies.upload), timeout(5000))).toFailWith({ name: 'TimeoutError' });
      }));
  });

  // axios makes its errors of what Node's http tells it.
  describe('reads axios', () => {
    const failureOf = async (url: string, config: object = {}): Promise<ReturnType<typeof readFailure>> =>
      readFailure(await errorOf(from(axios.get(url, { proxy: false, ...config }))));

    it('an answer, with method, header fields, and null for those that are missing', async () => {
      const { url } = await loopback((_, response) => response.writeHead(429, http503).end('busy'));
      const failure = await failureOf(url, { method: 'post', headers: { 'Idempotency-Key': '"a"' } });
      expect(failure).toMatchObject({ type: 'response', status: 429, request: { method: 'GET' } });
      expect(failure.headers?.get('retry-after')).toBe('3');
      expect(failure.headers?.get('x-missing') ?? null).toBeNull();
      expect(failure.request?.headers?.get('idempotency-key')).toBe('"a"');
    });

    it('no connection', async () => {
      expect(await failureOf('http://127.0.0.1:9/')).toMatchObject({ type: 'network' });
    });

    it('a lost connection', async () => {
      const { url } = await loopback((_, response) => response.destroy());
      expect(await failureOf(url)).toMatchObject({ type: 'network' });
    });

    it('a timeout', async () => {
      const { url } = await loopback(() => undefined);
      expect(await failureOf(url, { timeout: 30 })).toMatchObject({ type: 'timeout' });
    });

    it('an abort, which is final', async () => {
      expect(await failureOf('http://127.0.0.1:9/', { signal: AbortSignal.abort() })).toMatchObject({ type: 'terminal' });
    });

    it('as browsers have it', () => {
      expect(readFailure(new AxiosError('Network Error', 'ERR_NETWORK', { headers: {} } as never))).toMatchObject({ type: 'network' });
    });

    it('and waits as it asks, an abort ending the wait at once', async () => {
      let asked = 0;
      const { url, requests } = await loopback((_, response) => {
        if (asked++ > 0) response.end('done');
        else response.writeHead(429, { 'retry-after': '1' }).end();
      });
      const source$ = defer(() => axios.get<string>(url, { proxy: false }));
      expect((await firstValueFrom(source$.pipe(retryAfter()))).data).toBe('done');
      asked = 0;
      const controller = new AbortController();
      const reason = new Error('stop');
      const stopped = errorOf(source$.pipe(retryAfter({ signal: controller.signal, notify: () => controller.abort(reason) })));
      expect(await stopped).toBe(reason);
      expect(requests).toHaveLength(3);
    });
  });

  describe('reads raw failures of fetch', () => {
    it.each([
      ['fetch failed', 'network'],
      ['Failed to fetch', 'network'],
      ['NetworkError when attempting to fetch resource.', 'network'],
      ['Load failed', 'network'],
      ['terminated', 'network'],
      ['x is not a function', 'other'],
    ])('TypeError: %s as %s', (message, type) => {
      expect(readFailure(new TypeError(message))).toMatchObject({ type });
    });

    it('of another realm, as under Jest', () => {
      const error: unknown = runInNewContext(`Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })`);
      expect(error instanceof TypeError).toBe(false);
      expect(readFailure(error)).toMatchObject({ type: 'network', code: 'ECONNRESET' });
    });

    it.each([
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
    ])('with the code %s as final', (code) => {
      const error = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });
      expect(readFailure(error)).toMatchObject({ type: 'terminal' });
    });

    it('with a file that changed as final', () => {
      const error = new TypeError('fetch failed', { cause: new DOMException('changed', 'NotReadableError') });
      expect(readFailure(error)).toMatchObject({ type: 'terminal' });
    });
  });

  // The platform's own words are tried here.
  it.each(['ftp://127.0.0.1/', 'http://127.0.0.1:6000/', 'blob:nodedata:1', 'about:blank', 'file:///tmp/x'])(
    'reads what cannot be fetched as final: %s',
    async (url) => {
      const error = await errorOf(coldFetch(url).pipe(retryAfter()));
      expect(error).toBeInstanceOf(NetworkError);
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
    },
  );

  it('reads a Response that was thrown, and lets go of its body', () => {
    const response = new Response('busy', { status: 503 });
    expect(readFailure(response)).toMatchObject({ type: 'response', status: 503, response });
  });

  it('reads our own errors, of whichever copy of the library', async () => {
    vi.resetModules();
    const copy = await import('coldfetch');
    expect(copy.TimeoutError).not.toBe(TimeoutError);
    const error = await errorOf(copy.coldFetch('https://api.test/', { fetch: () => Promise.resolve(new Response(null, { status: 503 })) }));
    expect(readFailure(error)).toMatchObject({ type: 'response', status: 503, request: { method: 'GET', replayable: true } });
    expect(readFailure(new copy.TimeoutError('late', 5))).toMatchObject({ type: 'timeout' });
    expect(new copy.TimeoutError('late', 5)).not.toBeInstanceOf(TimeoutError);
  });

  it.each([undefined, null, 'oops', 0, new Error('of the program'), { status: 503 }, { status: '503', headers: new Headers() }, () => 1])(
    'takes %s for what is not of a request',
    (error) => {
      expect(readFailure(error).type).toBe('other');
    },
  );

  it('lets what the caller says of the request count more than the error', () => {
    const error = new HttpErrorResponse({ status: 503 });
    const known: RetryPolicyInput['request'] = { method: 'POST' };
    expect(readFailure(error, known).request).toEqual({ method: 'POST' });
  });
});
