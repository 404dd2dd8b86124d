import { type Cause, causes } from './errors/causes.js';

/**
 * Beginnings of the messages with which engines report a failure of `fetch` or of reading a body on the network: Node (undici), Chromium,
 * Firefox, WebKit, React Native, Cloudflare Workers, Deno. Wrappers (Sentry's for one) append to them.
 */
const NETWORK_MESSAGES =
  /^(fetch failed|terminated$|Failed to fetch|network error|NetworkError when |Load failed|The network connection was lost|Network connection lost|Network request failed|The Internet connection appears to be offline|Could not connect to the server|error (sending request|reading a body|trying to connect)|connection (closed|reset|error))/i;
/** Codes of a connection that failed: Node's and undici's, the parser's, those of TLS, and Bun's. */
const NETWORK_CODES =
  /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NETRESET|ADDRNOTAVAIL|NOTFOUND|AI_[A-Z]+|PROTO)|UND_ERR_\w+|HPE_\w+|ERR_(TLS|SSL|HTTP2|SOCKET)_\w+|ERR_STREAM_PREMATURE_CLOSE|Connection\w+|FailedToOpenSocket|Malformed_HTTP_Response)$/;

/** Failures before a byte of the request was sent which another attempt cannot mend: certificates, unknown schemes, bad ports. */
const UNSENDABLE_CODES =
  /CERT|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|UND_ERR_(INVALID_ARG|NOT_SUPPORTED)|ERR_INVALID_ARG|ERR_MIXED_CONTENT|ERR_STREAM_NEEDS_HTTP2|ERR_UNKNOWN_SCHEME/;
const UNSENDABLE_MESSAGES =
  /^(unknown scheme|bad port|.* scheme is not supported|invalid method|not implemented.*)$|invalid peer certificate|Requests to port \d+ are blocked|^Url scheme .* not supported/;
/** Final failures on the way or after it: refused redirects, bodies that changed, responses that are not HTTP, TLS to a plain port. */
const TERMINAL_CODES =
  /UND_ERR_(REQ_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW|RES(PONSE)?_EXCEEDED_MAX_SIZE)|ERR_HTTP_CONTENT_LENGTH_MISMATCH|NotReadableError|AbortError|HPE_(?!INVALID_EOF_STATE|CLOSED_CONNECTION)|Malformed_HTTP_Response|EPROTO|ERR_SSL_(?!\w*BAD_RECORD_MAC)/;
// The package undici gives its parser's errors no code. A bad upgrade is an unrequested 101. A status below 100 breaks an assertion;
// undici's other broken assertions are its own mistakes.
const TERMINAL_MESSAGES =
  /^(integrity mismatch|bad upgrade)$|does not match the HTTP\/1\.1 protocol (?!\((Invalid EOF|Data after))|invalid HTTP \w+ parsed|received corrupt message of type|assert\(statusCode >= 100\)/;

/**
 * Redirects that `fetch` did not follow, because of its mode, their target or their number: the codes and words of coldfetch, Bun, Node and
 * Deno.
 */
const REDIRECT_CODES = /ERR_REDIRECT_REFUSED|ERR_INVALID_URL|UnexpectedRedirect|TooManyRedirects/;
const REDIRECT_MESSAGES =
  /^(unexpected redirect|redirect count exceeded|URL scheme must be .*|cross origin not allowed .*|URL cannot contain credentials .*)$|Encountered redirect while|Maximum number of redirects/;

/**
 * Bodies that are not in the coding which their `content-encoding` names: codes of Node's zlib and words of Deno. Bun has one code for
 * these and for bodies that were cut.
 */
const CODING_CODES = /^(Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT_\w+|ZSTD_error_\w+)$/;
const CODING_MESSAGES = /^(Invalid gzip header|brotli error|deflate decompression error)/;
/** Bodies in the right coding whose checksum is wrong: bytes were lost or changed on the way. */
const CORRUPTED = /incorrect (data|length) check|checksum/i;

/** Failures to connect: an unknown name, a host that does not answer. */
const UNCONNECTED_CODES =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/;
const CONNECTING = /^(connect|getaddrinfo)$/;
/** Words of Deno about a failure to connect; it has no codes. */
const UNCONNECTED_MESSAGE = 'client error (Connect)';

/** True if an error has the words of an engine whose connection failed. */
export function hasNetworkMessage({ name, message }: Cause): boolean {
  // Errors are told by their names: under Jest those of `fetch` are of another realm than this module's.
  return /^(Type)?Error$/.test(String(name)) && NETWORK_MESSAGES.test(String(message));
}

/** True if a code belongs to a failed connection. */
export function isNetworkCode(code: string): boolean {
  return NETWORK_CODES.test(code);
}

/** True if a failure on the way or after it is final. */
export function isFinal(error: unknown): boolean {
  return hasCause(error, TERMINAL_CODES, TERMINAL_MESSAGES);
}

/**
 * True if a body could not be decoded because it is not in the coding that its `content-encoding` names: the server will send the same
 * again.
 */
export function isUndecodable(error: unknown): boolean {
  return causes(error).some(
    ({ code, message }) => (CODING_CODES.test(String(code)) || CODING_MESSAGES.test(String(message))) && !CORRUPTED.test(String(message)),
  );
}

/** Reason of a failure that gives none itself: Node's `fetch` says nothing of a 407. */
export function unsaidReason(error: unknown): string | undefined {
  const [outer, inner] = causes(error).slice(-2);
  if (outer?.message !== 'fetch failed' || inner?.message !== '' || inner.code !== undefined) return undefined;
  return 'fetch failed; Node gives no reason where a proxy answers 407 (Proxy Authentication Required)';
}

/** True if `fetch` refused a request, or the connection for it, so that nothing of it was sent and nothing ever will be. */
export function isUnsendable(error: unknown): boolean {
  return hasCause(error, UNSENDABLE_CODES, UNSENDABLE_MESSAGES);
}

/** True if an error is a redirect that was not followed. */
export function isRefusedRedirect(error: unknown): boolean {
  return hasCause(error, REDIRECT_CODES, REDIRECT_MESSAGES);
}

function hasCause(error: unknown, codes: RegExp, messages: RegExp): boolean {
  return causes(error).some(({ name, code, message }) => codes.test(`${String(name)} ${String(code)}`) || messages.test(String(message)));
}

/** True if an error says that no connection came about. */
export function isUnconnected(error: unknown): boolean {
  return causes(error).some(
    ({ code, syscall, message }) =>
      UNCONNECTED_CODES.test(String(code)) || CONNECTING.test(String(syscall)) || String(message).includes(UNCONNECTED_MESSAGE),
  );
}

/** True if a request failed at the target of a redirect: its error names another host or port than that of its URL. */
export function failedElsewhere(error: unknown, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const asked = new URL(url);
  const askedPort = asked.port || (asked.protocol === 'https:' ? '443' : '80');
  const places = causes(error).flatMap((each) => [each, ...((each as { errors?: readonly Place[] }).errors ?? [])]) as Place[];
  return places.some(
    ({ hostname = asked.hostname, port = askedPort }) => String(hostname) !== asked.hostname || String(port) !== askedPort,
  );
}

/** The fields by which an error of Node names the place of a failed connection. */
interface Place {
  readonly hostname?: unknown;
  readonly port?: unknown;
}
