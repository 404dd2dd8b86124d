import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HttpContext, HttpContextToken, HttpRequest, isUsageError } from 'coldfetch';

const TENANT = new HttpContextToken('tenant', () => 'none');

describe('HttpRequest', () => {
  it('has defaults', () => {
    const request = new HttpRequest('GET', '/users');
    expect(request).toMatchObject({ method: 'GET', url: '/users', body: undefined, attempt: 1, responseType: 'json', fetchOptions: {} });
    expect([...request.headers]).toEqual([]);
  });

  it('is cloned with changes, and stays as it is', () => {
    const { signal } = new AbortController();
    const request = new HttpRequest('PUT', '/a', { headers: { a: '1' }, body: 'x', signal, abort$: NEVER, timeout: 5, maxBytes: 6 });
    const clone = request.clone({ url: '/b', attempt: 2, setHeaders: { b: '2' } });
    expect(clone).toMatchObject({ method: 'PUT', url: '/b', body: 'x', attempt: 2, timeout: 5, maxBytes: 6 });
    expect([clone.signal, clone.abort$]).toEqual([signal, NEVER]);
    expect(Object.fromEntries(clone.headers)).toEqual({ a: '1', b: '2' });
    expect([request.url, request.attempt, Object.fromEntries(request.headers)]).toEqual(['/a', 1, { a: '1' }]);
  });

  it('removes header fields by null, and leaves out what a change sets undefined', () => {
    const request = new HttpRequest('GET', '/', { headers: { a: '1', b: '2' }, timeout: 5 });
    const clone = request.clone({ setHeaders: { A: null }, timeout: undefined });
    expect([Object.fromEntries(clone.headers), clone.timeout]).toEqual([{ b: '2' }, undefined]);
  });

  it('refuses header fields that cannot be sent, without their values', () => {
    const bad = { 'x-key': 'a\ns3cret' };
    for (const make of [
      () => new HttpRequest('GET', '/', { headers: bad }),
      () => new HttpRequest('GET', '/').clone({ setHeaders: bad }),
    ]) {
      expect(make).toThrow(expect.toSatisfy(isUsageError));
      expect(make).not.toThrow(/s3cret/);
    }
  });
});

describe('HttpContext', () => {
  it('answers with the default until something is set', () => {
    const context = HttpContext.of(TENANT, 'a');
    expect([HttpContext.empty.get(TENANT), HttpContext.empty.has(TENANT)]).toEqual(['none', false]);
    expect([context.get(TENANT), context.has(TENANT)]).toEqual(['a', true]);
  });

  it('is never changed, only made anew', () => {
    const context = HttpContext.of(TENANT, 'a');
    expect(context.set(TENANT, 'b').get(TENANT)).toBe('b');
    expect(context.delete(TENANT).get(TENANT)).toBe('none');
    expect(context.get(TENANT)).toBe('a');
  });

  it('tells tokens of one name apart', () => {
    const twin = new HttpContextToken('tenant', () => 'twin');
    expect(HttpContext.of(TENANT, 'a').get(twin)).toBe('twin');
  });
});
