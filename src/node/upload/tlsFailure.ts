/** Remedies for codes of OpenSSL and Node, the first that matches. */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_UNTRUSTED|INVALID_CA/,
    'its authority is not known here: name its certificate, a PEM file, in NODE_EXTRA_CA_CERTS',
  ],
  [/CERT_HAS_EXPIRED/, 'it has to be renewed on the server, unless the clock of this machine is wrong'],
  [/CERT_NOT_YET_VALID/, 'the clock of this machine may be wrong'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'the certificate is for other names: check the host in the URL'],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/,
    'the server does not speak TLS on this port: is it http:// there, or a proxy in between?',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER|HANDSHAKE_FAILURE/,
    'the server speaks no version or cipher of TLS that this Node does',
  ],
  [/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/, 'the server asks for a certificate of the client'],
  [/^ERR_SSL_|^ERR_TLS_|^EPROTO$/, 'the TLS connection failed: check the port, and a proxy in between'],
];

/** Lines of OpenSSL: the fifth field is the reason, the rest are places in its own source. */
const OPENSSL = /[\dA-F]{8,}:error:[\dA-F]+:[^:]*:[^:]*:([^:]*):[^\s:]+:\d+:(?:SSL alert number \d+)?(?:\s|\\n)*/gi;

/**
 * A message about a TLS failure: its cause in one line, and the remedy.
 *
 *     GET https://host/: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT); its authority is not known here: ...
 *
 * @param code of the failure; one that is not of TLS leaves the message as it is
 */
export function explainTls(message: string, code: string | undefined): string {
  const [, remedy] = REMEDIES.find(([codes]) => codes.test(code ?? '')) ?? [];
  if (remedy === undefined) return message;
  // Newer versions of Node append advice of their own there.
  const cause = message
    .replace(OPENSSL, '$1 ')
    .replace(/ +/g, ' ')
    .replace(/; if the root CA is installed locally, try running Node\.js with --use-system-ca/, '');
  return `${cause}; ${remedy}`;
}
