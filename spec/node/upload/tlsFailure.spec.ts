import { describe, expect, it } from 'vitest';
import { explainTls } from '../../../src/node/upload/tlsFailure.js';

const OPENSSL = '80FC21FE377F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:';

describe('explainTls', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', 'NODE_EXTRA_CA_CERTS'],
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'renewed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Host: a. is not in the cert's altnames: DNS:b", 'check the host in the URL'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tlsv1 alert protocol version', 'no version or cipher'],
    ['EPROTO', 'write EPROTO', 'the TLS connection failed'],
  ])('names cause and remedy of %s', (code, cause, remedy) => {
    const text = explainTls(`GET https://a/: ${cause} (${code})`, code);
    expect(text.startsWith(`GET https://a/: ${cause} (${code}); `)).toBe(true);
    expect(text).toContain(remedy);
  });

  it.each([
    ['as it comes', `${OPENSSL}\n`],
    ['as a message shows it', `${OPENSSL}\\n`],
    ['behind an alert', `${OPENSSL}SSL alert number 70\n`],
  ])("leaves the reason of OpenSSL's line: %s", (_case, line) => {
    expect(explainTls(`GET https://a/: ${line} (ERR_SSL_WRONG_VERSION_NUMBER)`, 'ERR_SSL_WRONG_VERSION_NUMBER')).toMatch(
      /^GET https:\/\/a\/: wrong version number \(ERR_SSL_WRONG_VERSION_NUMBER\); the server does not speak TLS on this port/,
    );
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', undefined])('leaves other failures as they are: %s', (code) => {
    expect(explainTls('GET https://a/: refused', code)).toBe('GET https://a/: refused');
  });
});
