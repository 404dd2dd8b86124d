import { createHash } from 'node:crypto';

/** Fields that choose between the answers of one URL. */
const SELECTING = ['accept', 'last-event-id', 'range'];

/** What a name is made from. */
export interface NamedRequest {
  readonly method: string;
  /** Without secrets, so that a recording outlives the token it was made with. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/**
 * The name of a request's recording: method, host and path to be read, and a hash of all that makes it this request and no other.
 *
 *     GET_api.example.com_v1_users_3f5a0c1b9d2e
 */
export function recordingName({ method, url, headers, body }: NamedRequest): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: url };
  const hash = createHash('sha256').update(`${method}\n${url}\n`);
  for (const field of SELECTING) hash.update(`${field}:${headers.get(field) ?? ''}\n`);
  const bytes = bytesOf(body);
  if (bytes !== undefined) hash.update(bytes);
  const readable = `${method}_${host}${pathname}`.replace(/[^\w.-]+/g, '_').slice(0, 100);
  return `${readable}_${hash.digest('hex').slice(0, 12)}`;
}

// Forms have a random boundary, and a stream can be read only once: those requests are told apart by their URL alone.
function bytesOf(body: unknown): string | Uint8Array | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return undefined;
}
