import type { Attributes } from '@opentelemetry/api';
import { isColdfetchError } from '../../request/errors/ColdfetchError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import type { WaitEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';

/** Methods that the conventions know; others are `_OTHER`, so that no foreign input becomes a metric's dimension. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'];

const HIDDEN = 'REDACTED';

/** Attributes of an attempt at its start. Source: OpenTelemetry semantic conventions, HTTP client spans. */
export function requestAttributes(request: HttpRequest, shownParams: readonly string[]): Attributes {
  const { url, attempt } = request;
  const method = request.method.toUpperCase();
  const known = METHODS.includes(method);
  return {
    'http.request.method': known ? method : '_OTHER',
    ...(!known && { 'http.request.method_original': request.method }),
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    ...(URL.canParse(url) && serverAttributes(new URL(url), shownParams)),
  };
}

/** Name of the span: the method, since a path could be anything. */
export function spanName({ method }: HttpRequest): string {
  return METHODS.includes(method.toUpperCase()) ? method.toUpperCase() : 'HTTP';
}

function serverAttributes(url: URL, shownParams: readonly string[]): Attributes {
  const port = url.port === '' ? { 'http:': 80, 'https:': 443 }[url.protocol] : Number(url.port);
  return {
    'url.full': redacted(url, shownParams),
    'server.address': url.hostname.replace(/^\[|\]$/g, ''),
    ...(port !== undefined && { 'server.port': port }),
  };
}

/** The URL with user info, and the values of parameters that are not to be shown, replaced. */
function redacted({ href }: URL, shownParams: readonly string[]): string {
  const url = new URL(href);
  if (url.username) url.username = HIDDEN;
  if (url.password) url.password = HIDDEN;
  for (const name of new Set(url.searchParams.keys())) if (!shownParams.includes(name)) url.searchParams.set(name, HIDDEN);
  // A fragment is not sent, and may carry a token.
  url.hash = '';
  return url.href;
}

/** Attributes of the event for a wait: its length in seconds, like all durations in the conventions, and its reason. */
export function waitAttributes({ delay, kind, source, attempt, status, error }: WaitEvent): Attributes {
  return {
    'coldfetch.wait.delay': delay / 1000,
    'coldfetch.wait.kind': kind,
    'coldfetch.wait.source': source,
    'coldfetch.wait.attempt': attempt,
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(error !== undefined && { 'error.type': errorType(error) }),
  };
}

/** Status of a failed attempt's span. The message of a response would only repeat its status. */
export function failureMessage(error: unknown): string | undefined {
  return isColdfetchError(error) && !isHttpError(error) ? error.message : undefined;
}

/** Kind of a failure, with low cardinality: the status, a connection's code, or the error's name. */
export function errorType(error: unknown): string {
  if (isHttpError(error)) return String(error.status);
  if (isNetworkError(error) && error.code !== undefined) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
