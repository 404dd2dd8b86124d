import { map, mergeMap, type Observable } from 'rxjs';
import { type ClientOptions, coldFetch, createClient, type FetchLike, retryAfter, type RetryPolicy } from 'coldfetch';

/** A request, and the policy that it is sent by. */
export interface Sending {
  readonly url: string;
  readonly policy: RetryPolicy;
  readonly fetch?: FetchLike | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Pacer of the client that has one. */
  readonly pace?: ClientOptions['pace'];
}

/** Sends a request; emits the status of its answer. */
export type WayIn = (sending: Sending) => Observable<number>;

const viaClient = ({ url, policy, fetch, method = 'GET', headers = {}, signal }: Sending, options: ClientOptions): Observable<number> =>
  createClient({ fetch, retry: policy, ...options })
    .request(method, url, { headers, signal, observe: 'response' })
    .pipe(map(({ status }) => status));

/** The ways in which a policy is used. It means the same in all of them. */
export const waysIn: readonly (readonly [name: string, send: WayIn])[] = [
  [
    'coldFetch and retryAfter',
    ({ url, policy, fetch, method = 'GET', headers = {}, signal }) =>
      coldFetch(url, { method, headers, fetch, signal, timeout: policy.timeout }).pipe(
        retryAfter(policy),
        mergeMap(({ status }) => [status]),
      ),
  ],
  ['createClient without a pacer', (sending) => viaClient(sending, { pace: false })],
  ['createClient as it comes', ({ pace, ...sending }) => viaClient(sending, { pace })],
];
