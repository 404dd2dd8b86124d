import '@angular/compiler';
import { HttpErrorResponse, HttpHeaders } from '@angular/common/http';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { angularFailure } from '../../../src/adapters/angular/angularFailure.js';

describe('angularFailure', () => {
  it('reads status and header fields of an HttpErrorResponse, and what is known of its request', () => {
    const error = new HttpErrorResponse({ status: 429, headers: new HttpHeaders({ 'retry-after': '3' }) });
    const { type, status, headers, request } = angularFailure.read(error, { method: 'POST' });
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
    expect(angularFailure.read(error).type).toBe(type);
  });

  it.each<[string, unknown, string]>([
    ['parsed JSON', { code: 'insufficient_quota' }, '{"code":"insufficient_quota"}'],
    ['text', 'slow down', 'slow down'],
    ['no body', null, ''],
  ])('shows the body that the error holds: %s', async (_, error, text) => {
    const failure = angularFailure.read(new HttpErrorResponse({ status: 429, error }));
    expect(await firstValueFrom(angularFailure.peek(failure))).toBe(text);
  });
});
