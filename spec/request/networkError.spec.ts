import { describe, expect, it } from 'vitest';
import { NetworkError } from 'coldfetch';
import { RequestSummary } from '../../src/request/RequestSummary.js';
import { isTerminalFailure, looksLikeNetworkFailure, networkError } from '../../src/request/networkError.js';

const request = new RequestSummary('GET', 'https://api.test/users?token=secret', new Headers());
/** Reason of a rejection of Node's fetch. */
const failed = (code: string, message = `connect ${code}`): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
/** Reason of a rejection of Deno's fetch. */
const failedIn = (cause: string): TypeError => new TypeError('fetch failed', { cause: new Error(cause) });
const shown = (cause: unknown): string => networkError(cause, request).message;

describe('networkError', () => {
  it('says which request failed and why, with the code of the cause', () => {
    const error = networkError(failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), request);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', message: 'GET https://api.test/users: connect ECONNREFUSED 127.0.0.1:1' });
  });

  it('names a code that the message leaves out', () => {
    expect(shown(failed('UND_ERR_SOCKET', 'other side closed'))).toBe('GET https://api.test/users: other side closed (UND_ERR_SOCKET)');
  });

  it('says what Node hides behind a failure without a reason, and takes it for final', () => {
    const hidden = new TypeError('fetch failed', { cause: new Error('') });
    expect(shown(hidden)).toBe(
      'GET https://api.test/users: fetch failed; Node gives no reason where a proxy answers 407 (Proxy Authentication Required)',
    );
    expect([hidden, networkError(hidden, request), new TypeError('fetch failed')].map(isTerminalFailure)).toEqual([true, true, false]);
  });

  it('finds the innermost cause, however deep, and ends in a circle', () => {
    const inner = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    expect(shown(new TypeError('fetch failed', { cause: new Error('outer', { cause: inner }) }))).toContain('certificate has expired');
    const circle = new Error('round');
    circle.cause = circle;
    expect(shown(circle)).toBe('GET https://api.test/users: round');
  });

  it('is one line, and leaves out what an engine quotes of the URL', () => {
    expect(shown(failed('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number\n'))).not.toContain('\n');
    const quoting = failedIn('error sending request for url (https://api.test/?token=secret): client error (Connect)');
    expect(shown(quoting)).toBe('GET https://api.test/users: error sending request for url (https://api.test/): client error (Connect)');
  });

  it.each([undefined, null, 'lost', 5])('takes whatever is thrown: %s', (thrown) => {
    expect(shown(thrown)).toBe(`GET https://api.test/users: ${String(thrown)}`);
  });
});

describe('a network failure', () => {
  it.each([
    'Failed to fetch',
    'Failed to fetch (api.test)',
    'Load failed',
    'Load failed (api.test)',
    'NetworkError when attempting to fetch resource.',
    'terminated',
    'network error',
    'The network connection was lost.',
    'Network connection lost.',
    'error sending request for url (https://api.test/): client error (Connect)',
    'error reading a body from connection',
  ])('is what an engine, or who wraps it, says: %s', (message) => {
    expect(looksLikeNetworkFailure(new TypeError(message))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'ConnectionRefused', 'ConnectionClosed'])(
    'is what has its code, whatever it says, as in Bun: %s',
    (code) => {
      expect(
        looksLikeNetworkFailure(Object.assign(new Error('Unable to connect. Is the computer able to access the url?'), { code })),
      ).toBe(true);
    },
  );

  it('may be a TypeError of another realm, as under Jest', () => {
    expect(looksLikeNetworkFailure(Object.assign(new Error('fetch failed'), { name: 'TypeError' }))).toBe(true);
  });

  it.each<[unknown]>([
    [new TypeError("Cannot read properties of undefined (reading 'id')")],
    [new Error('token refresh failed')],
    [Object.assign(new Error('no such file'), { code: 'ENOENT' })],
    [Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
    [new RangeError('fetch failed')],
    ['fetch failed'],
    [undefined],
  ])('is nothing else: %s', (error) => {
    expect(looksLikeNetworkFailure(error)).toBe(false);
  });
});

describe('failures that another attempt cannot mend', () => {
  it.each<[string, unknown]>([
    ['a certificate that has expired', failed('CERT_HAS_EXPIRED')],
    ['a certificate of its own', failed('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a certificate of nobody known', failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['a certificate of another host', failed('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['a certificate in Deno', failedIn('client error (Connect): invalid peer certificate: UnknownIssuer')],
    ['an unknown scheme', failedIn('unknown scheme')],
    ['a bad port', failedIn('bad port')],
    ['a bad port in Deno', new TypeError('Fetch failed: Requests to port 6667 are blocked')],
    ['a field that undici refuses', failed('UND_ERR_INVALID_ARG')],
  ])('were never sent: %s', (_, cause) => {
    expect([isTerminalFailure(cause), networkError(cause, request).unsent]).toEqual([true, true]);
  });

  it.each<[string, unknown]>([
    ['a body of another length', failed('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
    ['header fields without end', failed('UND_ERR_HEADERS_OVERFLOW')],
    ['an answer that is no HTTP', failed('HPE_INVALID_CONSTANT')],
    ['an answer that is no HTTP, by the package undici', failedIn('Response does not match the HTTP/1.1 protocol (Expected HTTP/)')],
    ['an answer with a status below 100', failedIn('The expression evaluated to a falsy value:\n\n  assert(statusCode >= 100)\n')],
    ['a 101 that nobody asked for', failedIn('bad upgrade')],
    ['an answer that is no HTTP in Deno', failedIn('client error (SendRequest): invalid HTTP version parsed')],
    ['an answer that is no HTTP in Bun', Object.assign(new TypeError('Malformed'), { code: 'Malformed_HTTP_Response' })],
    ['TLS to a plain port', failed('ERR_SSL_WRONG_VERSION_NUMBER')],
    ['an answer of another integrity', failedIn('integrity mismatch')],
    ['a body that is not gzip', failed('Z_DATA_ERROR')],
    ['a body that is not gzip in Deno', new TypeError('Invalid gzip header')],
    ['a body that is not Brotli', failed('ERR__ERROR_FORMAT_PADDING_2')],
    ['a body that is not Zstandard', failed('ZSTD_error_prefix_unknown')],
    ['TLS to a plain port in Bun', Object.assign(new TypeError('EPROTO'), { code: 'EPROTO' })],
  ])('may have been sent: %s', (_, cause) => {
    expect([isTerminalFailure(cause), networkError(cause, request).unsent]).toEqual([true, false]);
  });

  it.each<[string, unknown]>([
    ['Node', failedIn('unexpected redirect')],
    ['Node, where there are too many', failedIn('redirect count exceeded')],
    ['Bun', Object.assign(new TypeError('UnexpectedRedirect fetching "https://api.test/"'), { code: 'UnexpectedRedirect' })],
    ['Bun, where there are too many', Object.assign(new TypeError('TooManyRedirects'), { code: 'TooManyRedirects' })],
    ['Deno', new TypeError("Fetch failed: Encountered redirect while redirect mode is set to 'error'")],
    ['Deno, where there are too many', new TypeError('Fetch failed: Maximum number of redirects (20) reached')],
  ])('are redirects that were not followed, by the same code everywhere: %s', (_, cause) => {
    expect(networkError(cause, request)).toMatchObject({ code: 'ERR_REDIRECT_REFUSED', unsent: false });
    expect(isTerminalFailure(cause)).toBe(true);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'UND_ERR_CONNECT_TIMEOUT',
    'EPIPE',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ])('do not include %s', (code) => {
    expect(isTerminalFailure(failed(code))).toBe(false);
  });

  it.each([
    new Error('Response does not match the HTTP/1.1 protocol (Invalid EOF state)'),
    Object.assign(new Error('incorrect data check'), { code: 'Z_DATA_ERROR' }),
    Object.assign(new Error("Restored data doesn't match checksum"), { code: 'ZSTD_error_checksum_wrong' }),
    Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' }),
  ])('do not include an answer that was cut or changed on the way: %s', (cause) => {
    expect(isTerminalFailure(new TypeError('terminated', { cause }))).toBe(false);
  });
});

describe('a request that was never sent', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])('found no connection: %s', (code) => {
    expect(networkError(failed(code), request).unsent).toBe(true);
  });

  it('found none in time', () => {
    const cause = Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'connect' });
    expect(networkError(new TypeError('fetch failed', { cause }), request).unsent).toBe(true);
  });

  it.each(['ECONNRESET', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'EPIPE'])('is not one whose connection was lost: %s', (code) => {
    expect(networkError(failed(code), request).unsent).toBe(false);
  });

  it('found none in Deno', () => {
    expect(
      networkError(failedIn('error sending request for url (https://api.test/): client error (Connect): dns error'), request).unsent,
    ).toBe(true);
  });

  it('is not one that had been sent and redirected', () => {
    expect(networkError(failed('ECONNREFUSED'), request, { redirected: true }).unsent).toBe(false);
  });
});
