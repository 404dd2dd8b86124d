/*
 * Counterpart of `engineErrors` that bundlers for browsers take in its place: a browser's `fetch` fails with a few words and without a
 * code. The codes are coldfetch's own.
 */
import { type Cause, causes } from './errors/causes.js';
import type * as engineErrors from './engineErrors.js';

/**
 * Beginnings of the messages with which Chromium, Firefox, WebKit, React Native and Cloudflare Workers report a failure on the network, and
 * Node, since servers at the edge that are made of it take bundles for browsers.
 */
const NETWORK_MESSAGES =
  /^(Failed to fetch|fetch failed|terminated$|network error|NetworkError when |Load failed|The network connection was lost|Network connection lost|Network request failed|The Internet connection appears to be offline|Could not connect to the server)/i;

export const hasNetworkMessage: typeof engineErrors.hasNetworkMessage = ({ name, message }: Cause) =>
  /^(Type)?Error$/.test(String(name)) && NETWORK_MESSAGES.test(String(message));

export const isUnsendable: typeof engineErrors.isUnsendable = (error) =>
  hasCode(error, /^ERR_(MIXED_CONTENT|STREAM_NEEDS_HTTP2|UNKNOWN_SCHEME)$/);

export const isRefusedRedirect: typeof engineErrors.isRefusedRedirect = (error) =>
  causes(error).some(({ code, message }) => code === 'ERR_REDIRECT_REFUSED' || message === 'unexpected redirect');

/** Messages about a file that changed while it was read, and about an upload that was aborted. */
export const isFinal: typeof engineErrors.isFinal = (error) =>
  causes(error).some(({ name }) => name === 'NotReadableError' || name === 'AbortError');

const no = (): boolean => false;

export const isNetworkCode: typeof engineErrors.isNetworkCode = no;
export const isUnconnected: typeof engineErrors.isUnconnected = no;
export const failedElsewhere: typeof engineErrors.failedElsewhere = no;
export const isUndecodable: typeof engineErrors.isUndecodable = no;
export const unsaidReason: typeof engineErrors.unsaidReason = () => undefined;

function hasCode(error: unknown, codes: RegExp): boolean {
  return causes(error).some(({ code }) => codes.test(String(code)));
}
