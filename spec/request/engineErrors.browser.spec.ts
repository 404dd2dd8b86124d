import { describe, expect, it } from 'vitest';
import {
  failedElsewhere,
  hasNetworkMessage,
  isFinal,
  isNetworkCode,
  isRefusedRedirect,
  isUnconnected,
  isUndecodable,
  isUnsendable,
  unsaidReason,
} from '../../src/request/engineErrors.browser.js';

const coded = (code: string): Error => Object.assign(new TypeError('x'), { code });

describe('engineErrors in a browser', () => {
  it.each([
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    'network error',
    'Network request failed',
    'The network connection was lost.',
    'fetch failed',
  ])('know the words of its engine: %s', (message) => {
    expect(hasNetworkMessage(new TypeError(message))).toBe(true);
  });

  it('leave other errors alone', () => {
    expect(hasNetworkMessage(new TypeError('x is not a function'))).toBe(false);
    expect(hasNetworkMessage(new RangeError('Failed to fetch'))).toBe(false);
  });

  it('know our codes of what cannot be sent, and of refused redirects', () => {
    expect(isUnsendable(coded('ERR_MIXED_CONTENT'))).toBe(true);
    expect(isUnsendable(new Error('x', { cause: coded('ERR_UNKNOWN_SCHEME') }))).toBe(true);
    expect(isUnsendable(coded('ERR_REDIRECT_REFUSED'))).toBe(false);
    expect(isRefusedRedirect(coded('ERR_REDIRECT_REFUSED'))).toBe(true);
    expect(isRefusedRedirect(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }))).toBe(true);
  });

  it('take a file that changed, and an abort, as final', () => {
    expect(isFinal(new DOMException('x', 'NotReadableError'))).toBe(true);
    expect(isFinal(new Error('x', { cause: new DOMException('x', 'AbortError') }))).toBe(true);
    expect(isFinal(new TypeError('Failed to fetch'))).toBe(false);
  });

  it('look for none of what only other platforms tell', () => {
    const refused = coded('ECONNREFUSED');
    expect(failedElsewhere(Object.assign(refused, { hostname: 'b.example' }), 'https://a.example/')).toBe(false);
    expect([isNetworkCode('ECONNREFUSED'), isUnconnected(refused), isUndecodable(coded('Z_DATA_ERROR'))]).toEqual([false, false, false]);
    expect(unsaidReason(new TypeError('fetch failed', { cause: new Error('') }))).toBeUndefined();
  });
});
