import { hasBrand } from '../request/errors/ColdfetchError.js';
import { NetworkError } from '../request/errors/NetworkError.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { RequestSummary } from '../request/RequestSummary.js';

/** What the engines say when `fetch` or the reading of a body fails on the network: Node (undici), Chromium, Firefox, WebKit. */
const NETWORK_MESSAGES =
  /^(fetch failed|terminated|Failed to fetch|network error|NetworkError when .*|Load failed|The network connection was lost\.|Network request failed)$/;

/** Failures before a byte of the request was sent, and that another attempt cannot mend: certificates, unknown schemes, bad ports. */
const UNSENDABLE_CODES = /CERT|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/;
const UNSENDABLE_MESSAGES = /^(unknown scheme|bad port|URL scheme must be .*|.* scheme is not supported|invalid method|not implemented.*)$/;
/** Those that show on the way or behind it: refused redirects, bodies that changed. */
const TERMINAL_CODES = /UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|NotReadableError|AbortError|ERR_REDIRECT_REFUSED/;
const TERMINAL_MESSAGES = /^(unexpected redirect|redirect count exceeded)$/;

interface Cause {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** An error and what led to it, outermost first. */
function causes(error: unknown): Cause[] {
  const found: Cause[] = [];
  for (let next = error; typeof next === 'object' && next !== null && found.length < 5; next = (next as Cause).cause) found.push(next);
  return found;
}

/** The code of an error or of what led to it: `ECONNREFUSED`, `UND_ERR_SOCKET`, ... */
export function causeCode(error: unknown): string | undefined {
  return causes(error)
    .map(({ code }) => code)
    .find((code) => typeof code === 'string');
}

/** Whether an error has the shape that the engines give a failed fetch. */
export function looksLikeNetworkFailure(error: unknown): boolean {
  return isTypeError(error) && NETWORK_MESSAGES.test(error.message);
}

// By its name: under Jest the TypeErrors of `fetch` are of another realm than this module's.
function isTypeError(error: unknown): error is TypeError {
  return typeof error === 'object' && (error as Error | null)?.name === 'TypeError';
}

/** Whether trying again cannot mend a network failure. */
export function isTerminalFailure(error: unknown): boolean {
  return isUnsendable(error) || hasCause(error, TERMINAL_CODES, TERMINAL_MESSAGES);
}

/** Whether `fetch` refused a request, or the connection for it, so that nothing of it was sent and nothing ever will be. */
export function isUnsendable(error: unknown): boolean {
  return hasCause(error, UNSENDABLE_CODES, UNSENDABLE_MESSAGES);
}

function hasCause(error: unknown, codes: RegExp, messages: RegExp): boolean {
  return causes(error).some(({ name, code, message }) => codes.test(`${String(name)} ${String(code)}`) || messages.test(String(message)));
}

/** What `fetch` rejected with as an error of ours: bad usage that only `fetch` noticed, or a network failure with its code. */
export function networkError(cause: unknown, request: RequestSummary): unknown {
  const chain = causes(cause);
  // A body that was made by us, a file that changed say, fails inside of fetch: its own error says more.
  const ours = chain.find((each) => hasBrand(each));
  if (ours) return ours;
  const inner = chain.at(-1);
  const detail = [inner?.message, inner?.code].find((text): text is string => typeof text === 'string' && text !== '') ?? String(cause);
  if (isTypeError(cause) && cause.cause === undefined && !looksLikeNetworkFailure(cause)) {
    // Such messages quote the URL, credentials and query included.
    return new UsageError(`${request.toString()}: ${cause.message.replace(/\S+:\/\/\S+/g, '(URL)')}`, { request });
  }
  const code = causeCode(cause);
  return new NetworkError(`${request.toString()}: ${detail}${code === undefined || detail.includes(code) ? '' : ` (${code})`}`, code, {
    cause,
    request,
  });
}
