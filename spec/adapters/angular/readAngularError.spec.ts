import '@angular/compiler';
import { HttpErrorResponse, HttpHeaders } from '@angular/common/http';
import { describe, expect, it } from 'vitest';
import { readAngularError } from '../../../src/adapters/angular/readAngularError.js';

describe('readAngularError', () => {
  it('reads status and header fields of an HttpErrorResponse, and what is known of its request', () => {
    const error = new HttpErrorResponse({ status: 429, headers: new HttpHeaders({ 'retry-after': '3' }) });
    const { type, status, headers, request } = readAngularError(error, { method: 'POST' });
    expect([type, status, headers?.get('retry-after'), request]).toEqual(['response', 429, '3', { method: 'POST' }]);
  });

  it.each<[string, unknown, string]>([
    ['a response that never came', new HttpErrorResponse({ status: 0, error: new TypeError('Failed to fetch') }), 'network'],
    [
      'an attempt that the timeout of HttpClient ended',
      new HttpErrorResponse({ status: 0, error: new DOMException('', 'TimeoutError') }),
      'timeout',
    ],
    ['a timeout of RxJS', Object.assign(new Error('Timeout has occurred'), { name: 'TimeoutError' }), 'timeout'],
    ['a raw failure of fetch, of an interceptor', new TypeError('fetch failed'), 'network'],
    ['an error of another kind', new Error('nothing'), 'other'],
    ['no error at all', undefined, 'other'],
  ])('reads %s', (_, error, type) => {
    expect(readAngularError(error).type).toBe(type);
  });
});
