import { type ClientOptions, createClient, type HttpClient } from 'coldfetch';
import { type ScriptedReply, reply, scriptedFetch, type ScriptedFetch } from 'coldfetch/testing';

export const BASE = 'https://api.test/v2';

/** A client of a scripted fetch that answers 200 unless told otherwise. */
export function client(
  options: ClientOptions = {},
  answers: readonly ScriptedReply[] = Array.from({ length: 9 }, () => reply(200)),
): { readonly fetch: ScriptedFetch; readonly http: HttpClient; readonly sent: () => string[] } {
  const fetch = scriptedFetch(answers);
  const http = createClient({ baseUrl: BASE, fetch, ...options });
  return { fetch, http, sent: () => fetch.requests.map(({ method, url }) => `${method} ${url}`) };
}

/** The value of a header field of the n-th request. */
export function field({ requests }: ScriptedFetch, name: string, n = 0): string | null | undefined {
  return requests[n]?.headers.get(name);
}
