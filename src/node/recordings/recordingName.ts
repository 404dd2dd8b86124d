import { createHash } from 'node:crypto';

/** Header fields that select between the responses of one URL. */
const SELECTING = ['accept', 'last-event-id', 'range'];

/** Parts of a request that its name is made from. */
export interface NamedRequest {
  readonly method: string;
  /** URL without secrets, so that a recording outlives the token it was made with. */
  readonly url: string;
  readonly headers: Headers;
  /** Digest of the body; undefined without one. */
  readonly digest: string | undefined;
  /** True if the response is a redirect that is not to be followed. */
  readonly hop?: boolean;
}

/**
 * The name of a request's recording: method, host and path for people, and a hash of everything that makes the request unique.
 *
 *     GET_api.example.com_v1_users_3f5a0c1b9d2e
 */
export function recordingName({ method, url, headers, digest = '', hop = false }: NamedRequest): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: url };
  const fields = SELECTING.map((field) => `${field}:${headers.get(field) ?? ''}`);
  const hash = createHash('sha256').update([method, url, ...fields, digest, ...(hop ? ['hop'] : [])].join('\n'));
  const readable = `${method}_${host}${pathname}`.replace(/[^\w.-]+/g, '_').slice(0, 100);
  return `${readable}_${hash.digest('hex').slice(0, 12)}`;
}
