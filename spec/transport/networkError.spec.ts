import { describe, expect, it } from 'vitest';
import { isNetworkError, isUsageError, NetworkError, UsageError } from 'coldfetch';
import { RequestSummary } from '../../src/request/RequestSummary.js';
import { isTerminalFailure, isUnsendable, looksLikeNetworkFailure, networkError } from '../../src/transport/networkError.js';

const request = new RequestSummary('GET', 'https://api.test/users?token=secret', new Headers());
/** What Node's fetch rejects with. */
const failed = (code: string, message = `connect ${code}`): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
const shown = (cause: unknown): string => (networkError(cause, request) as Error).message;

describe('networkError', () => {
  it('says which request failed and why, with the code of the cause', () => {
    const error = networkError(failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), request);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', message: 'GET https://api.test/users: connect ECONNREFUSED 127.0.0.1:1' });
  });

  it('names a code that the message leaves out', () => {
    expect(shown(failed('UND_ERR_SOCKET', 'other side closed'))).toBe('GET https://api.test/users: other side closed (UND_ERR_SOCKET)');
  });

  it('finds the innermost cause, however deep, and ends in a circle', () => {
    const inner = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    expect(shown(new TypeError('fetch failed', { cause: new Error('outer', { cause: inner }) }))).toContain('certificate has expired');
    const circle = new Error('round');
    circle.cause = circle;
    expect(shown(circle)).toBe('GET https://api.test/users: round');
  });

  it.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.', 'terminated', 'network error'])(
    'takes what an engine says for one: %s',
    (message) => {
      expect(looksLikeNetworkFailure(new TypeError(message))).toBe(true);
      expect(isNetworkError(networkError(new TypeError(message), request))).toBe(true);
    },
  );

  it('takes a TypeError of another realm, as under Jest', () => {
    expect(looksLikeNetworkFailure(Object.assign(new Error('fetch failed'), { name: 'TypeError' }))).toBe(true);
  });

  it('takes other TypeErrors of fetch for misuse, without the URL that they quote', () => {
    const error = networkError(new TypeError('Failed to parse URL from https://me:secret@api.test/?token=secret'), request);
    expect(isUsageError(error) && error.message).toBe('GET https://api.test/users: Failed to parse URL from (URL)');
  });

  it('lets an error of ours through that fetch wraps: a body function’s, say', () => {
    const ours = new UsageError('the file has changed');
    expect(networkError(new TypeError('fetch failed', { cause: ours }), request)).toBe(ours);
  });

  it.each([undefined, null, 'lost', 5])('takes whatever is thrown: %s', (thrown) => {
    expect(shown(thrown)).toBe(`GET https://api.test/users: ${String(thrown)}`);
  });
});

describe('what another attempt cannot mend', () => {
  it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'is a certificate: %s',
    (code) => {
      expect([isTerminalFailure(failed(code)), isUnsendable(failed(code))]).toEqual([true, true]);
    },
  );

  it.each(['unknown scheme', 'bad port', 'unexpected redirect', 'redirect count exceeded'])('is a %s', (message) => {
    expect(isTerminalFailure(new TypeError('fetch failed', { cause: new Error(message) }))).toBe(true);
  });

  it('may have been sent: a redirect shows on the way only', () => {
    expect(isUnsendable(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }))).toBe(false);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'EPIPE'])(
    'is not %s',
    (code) => {
      expect(isTerminalFailure(failed(code))).toBe(false);
    },
  );
});
