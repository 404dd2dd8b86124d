import { type Cause, causes } from './errors/causes.js';
import { hasBrand } from './errors/ColdfetchError.js';
import { NetworkError } from './errors/NetworkError.js';
import { type RequestSummary, withoutSecrets } from './RequestSummary.js';

/**
 * Beginnings of what the engines say when `fetch` or the reading of a body fails on the network: Node (undici), Chromium, Firefox, WebKit,
 * React Native, Cloudflare Workers, Deno. Wrappers (Sentry's for one) add to them.
 */
const NETWORK_MESSAGES =
  /^(fetch failed|terminated$|Failed to fetch|network error|NetworkError when |Load failed|The network connection was lost|Network connection lost|Network request failed|The Internet connection appears to be offline|Could not connect to the server|error (sending request|reading a body|trying to connect)|connection (closed|reset|error))/i;
/** Codes of a connection that failed: Node's and undici's, the parser's, those of TLS, and Bun's. */
const NETWORK_CODES =
  /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NETRESET|ADDRNOTAVAIL|NOTFOUND|AI_[A-Z]+|PROTO)|UND_ERR_\w+|HPE_\w+|ERR_(TLS|SSL|HTTP2|SOCKET)_\w+|ERR_STREAM_PREMATURE_CLOSE|Connection\w+|FailedToOpenSocket|Malformed_HTTP_Response)$/;

/** Failures before a byte of the request was sent, and that another attempt cannot mend: certificates, unknown schemes, bad ports. */
const UNSENDABLE_CODES =
  /CERT|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|UND_ERR_(INVALID_ARG|NOT_SUPPORTED)|ERR_INVALID_ARG|ERR_MIXED_CONTENT|ERR_STREAM_NEEDS_HTTP2|ERR_UNKNOWN_SCHEME/;
const UNSENDABLE_MESSAGES =
  /^(unknown scheme|bad port|.* scheme is not supported|invalid method|not implemented.*)$|invalid peer certificate|Requests to port \d+ are blocked|^Url scheme .* not supported/;
/** Final ones that show on the way or behind it: refused redirects, bodies that changed, answers that are no HTTP, TLS to a plain port. */
const TERMINAL_CODES =
  /UND_ERR_(REQ_CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW|RES(PONSE)?_EXCEEDED_MAX_SIZE|RES_CONTENT_LENGTH_MISMATCH)|ERR_HTTP_CONTENT_LENGTH_MISMATCH|NotReadableError|AbortError|HPE_(?!INVALID_EOF_STATE|CLOSED_CONNECTION)|Malformed_HTTP_Response|EPROTO|ERR_SSL_(?!\w*BAD_RECORD_MAC)/;
// The package undici gives its parser's errors no code. A bad upgrade is a 101 that nobody asked for; a status below 100 breaks
// an assertion, whose others are undici's own mistakes.
const TERMINAL_MESSAGES =
  /^(integrity mismatch|bad upgrade)$|does not match the HTTP\/1\.1 protocol (?!\((Invalid EOF|Data after))|invalid HTTP \w+ parsed|received corrupt message of type|assert\(statusCode >= 100\)/;

/** Redirects that `fetch` did not follow, by its mode, for where they lead or because there were too many: as coldfetch, Bun, Node and Deno say it. */
const REDIRECT_CODES = /ERR_REDIRECT_REFUSED|ERR_INVALID_URL|UnexpectedRedirect|TooManyRedirects/;
const REDIRECT_MESSAGES =
  /^(unexpected redirect|redirect count exceeded|URL scheme must be .*|cross origin not allowed .*|URL cannot contain credentials .*)$|Encountered redirect while|Maximum number of redirects/;

/**
 * Bodies that are not in the coding which their `content-encoding` names, by the codes of Node's zlib and the words of Deno. Bun has one code for
 * them and for those that were cut.
 */
const CODING_CODES = /^(Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT_\w+|ZSTD_error_\w+)$/;
const CODING_MESSAGES = /^(Invalid gzip header|brotli error|deflate decompression error)/;
/** Bodies that are, but whose checksum is not theirs: bytes were lost or changed on the way. */
const CORRUPTED = /incorrect (data|length) check|checksum/i;

/** Failures of a connection that did not come about: a name that is unknown, a host that does not answer. */
const UNCONNECTED_CODES =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/;
const CONNECTING = /^(connect|getaddrinfo)$/;
/** As Deno says it, which has no codes. */
const UNCONNECTED_MESSAGE = 'client error (Connect)';

/** The code of an error or of what led to it: `ECONNREFUSED`, `UND_ERR_SOCKET`, ... */
export function causeCode(error: unknown): string | undefined {
  return causes(error)
    .map(({ code }) => code)
    .find((code) => typeof code === 'string');
}

/** The error of ours that an error is or was made of: that of a body function say, which `fetch` wraps. */
export function ownCause(error: unknown): unknown {
  return causes(error).find((each) => hasBrand(each));
}

/** Whether a foreign error is that of a failed connection: by the code of it or of its cause, or by the words of an engine. */
export function looksLikeNetworkFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || hasBrand(error)) return false;
  const { name, message } = error as Cause;
  // By their names: under Jest the errors of `fetch` are of another realm than this module's.
  if (/^(Type)?Error$/.test(String(name)) && NETWORK_MESSAGES.test(String(message))) return true;
  return NETWORK_CODES.test(causeCode(error) ?? '');
}

/** Whether trying again cannot mend a network failure. */
export function isTerminalFailure(error: unknown): boolean {
  return (
    isUnsendable(error) ||
    isRefusedRedirect(error) ||
    isUndecodable(error) ||
    isUnexplained(error) ||
    hasCause(error, TERMINAL_CODES, TERMINAL_MESSAGES)
  );
}

/** Whether a body could not be decoded because it is not what its `content-encoding` says: the server will say so again. */
export function isUndecodable(error: unknown): boolean {
  return causes(error).some(
    ({ code, message }) => (CODING_CODES.test(String(code)) || CODING_MESSAGES.test(String(message))) && !CORRUPTED.test(String(message)),
  );
}

/** Message of the innermost cause of an error. */
export function messageOf(error: unknown): string {
  const inner = causes(error).at(-1);
  if (isUnexplained(error)) return 'fetch failed; Node gives no reason where a proxy answers 407 (Proxy Authentication Required)';
  return [inner?.message, inner?.code].find((text): text is string => typeof text === 'string' && text !== '') ?? String(error);
}

/** Whether an error is that of Node's `fetch` after an answer of 407, which it does not give: its cause says nothing. */
function isUnexplained(error: unknown): boolean {
  const [outer, inner] = causes(error).slice(-2);
  return outer?.message === 'fetch failed' && inner?.message === '' && inner.code === undefined;
}

/** Whether `fetch` refused a request, or the connection for it, so that nothing of it was sent and nothing ever will be. */
function isUnsendable(error: unknown): boolean {
  return hasCause(error, UNSENDABLE_CODES, UNSENDABLE_MESSAGES);
}

function isRefusedRedirect(error: unknown): boolean {
  return hasCause(error, REDIRECT_CODES, REDIRECT_MESSAGES);
}

function hasCause(error: unknown, codes: RegExp, messages: RegExp): boolean {
  return causes(error).some(({ name, code, message }) => codes.test(`${String(name)} ${String(code)}`) || messages.test(String(message)));
}

/** Whether an error says that no connection came about. */
function isUnconnected(error: unknown): boolean {
  return causes(error).some(
    ({ code, syscall, message }) =>
      UNCONNECTED_CODES.test(String(code)) || CONNECTING.test(String(syscall)) || String(message).includes(UNCONNECTED_MESSAGE),
  );
}

/** Facts about a failure of the network that its error does not tell. */
export interface FailureFacts {
  /** Whether it met a request that had been sent before, to where it was redirected from. */
  readonly redirected?: boolean;
  /** Its reason in words, in place of the engine's. */
  readonly detail?: string;
  /** Its code, where the error has none. */
  readonly code?: string;
}

/** A failure of the network with its code. */
export function networkError(cause: unknown, request: RequestSummary, facts: FailureFacts = {}): NetworkError {
  // Some engines quote the URL, credentials and query included.
  const shown =
    facts.detail ??
    messageOf(cause)
      .trim()
      .replace(/\w+:\/\/[^\s)"']+/g, withoutSecrets);
  const code = isRefusedRedirect(cause) ? 'ERR_REDIRECT_REFUSED' : (causeCode(cause) ?? facts.code);
  const problem = code === undefined || shown.includes(code) ? shown : `${shown} (${code})`;
  return new NetworkError(`${request.toString()}: ${problem}`, code, {
    cause,
    request,
    unsent: facts.redirected !== true && ([cause, facts].some(isUnsendable) || isUnconnected(cause)),
  });
}
