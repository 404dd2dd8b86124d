import { pageUrl } from '../request/urls.js';
import { isOffline } from './untilOnline.js';

/** Hosts that a page of any scheme may send to without encryption (W3C Secure Contexts, "potentially trustworthy"). */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Reason for a failed request that a page can find, or the possible reasons. */
export interface PageFailure {
  readonly detail: string;
  /** Code of a failure that another attempt cannot mend. */
  readonly code?: string;
}

/**
 * The likely reason of a failed request in a page, where the engine tells a script nothing but that it failed; undefined elsewhere. A
 * denied preflight, a missing CORS field and a server that is down look the same to scripts.
 *
 * @param streamed whether its body was a stream, which a browser sends over HTTP/2 and later only
 */
export function pageFailure(url: string, streamed = false): PageFailure | undefined {
  const page = pageUrl();
  if (page === undefined || !URL.canParse(url, page)) return undefined;
  const from = new URL(page);
  const { origin, protocol, hostname } = new URL(url, page);
  // Pages of applications (Electron, extensions) have schemes that lead to themselves.
  if (!/^(https?|blob|data):$/.test(protocol) && protocol !== from.protocol) {
    return { detail: `a page cannot send to the scheme ${protocol}`, code: 'ERR_UNKNOWN_SCHEME' };
  }
  if (isOffline()) return { detail: 'the browser is offline' };
  if (from.protocol === 'https:' && protocol === 'http:' && !LOOPBACK.test(hostname)) {
    return { detail: 'a page from https cannot send to http', code: 'ERR_MIXED_CONTENT' };
  }
  if (streamed && protocol === 'http:') {
    return { detail: 'a browser sends a stream over HTTP/2 only, which takes https; send a Blob', code: 'ERR_STREAM_NEEDS_HTTP2' };
  }
  const stream = streamed ? ', or speaks HTTP/1.1 only, over which a browser sends no stream' : '';
  const down = `the server cannot be reached${stream}`;
  if (origin === from.origin) return { detail: down };
  return { detail: `${down}, or CORS denies this page its answer: ${origin} has to send Access-Control-Allow-Origin, to a preflight too` };
}
