import { asFetch, coldFetch, createClient, HttpRequest, type HttpEvent, retryAfter } from 'coldfetch';
import { undici } from 'coldfetch/undici';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { fromFetch } from 'rxjs/fetch';
import { request } from 'undici';
import { peer } from './peers.js';
import { BASELINE } from './settings.js';

/** Sends a GET, or a POST of JSON, and gives the JSON of the answer. */
export type Send = (url: string, body: string | undefined) => Promise<unknown>;

const JSON_TYPE = { 'content-type': 'application/json' };
const initOf = (body: string | undefined): RequestInit => (body === undefined ? {} : { method: 'POST', headers: JSON_TYPE, body });

/** Every client, its pace as it comes unless its name says otherwise. */
export async function clients(): Promise<Record<string, Send>> {
  const jsonOf = (response: Response): Promise<unknown> => response.json();
  const fetching = asFetch();
  const fetchingByUndici = asFetch({ transport: undici() });
  const bare = createClient({ retry: false, pace: false });
  const retrying = createClient({ pace: false });
  const http = createClient();
  const byUndici = createClient({ transport: undici() });

  const sendBy =
    (client: typeof http): Send =>
    (url, body) =>
      firstValueFrom(body === undefined ? client.get(url) : client.post(url, body, { headers: JSON_TYPE }));
  const sendValue: Send = async (url, body) => {
    const asked = new HttpRequest(body === undefined ? 'GET' : 'POST', url, { body, headers: body === undefined ? {} : JSON_TYPE });
    const last: HttpEvent = await lastValueFrom(http.request(asked));
    return last.type === 'response' ? last.body : undefined;
  };

  const ours: Record<string, Send> = {
    [BASELINE]: async (url, body) => (await fetch(url, initOf(body))).json(),
    'coldFetch + retryAfter()': (url, body) =>
      lastValueFrom(coldFetch(url, { ...initOf(body), body, selector: jsonOf }).pipe(retryAfter())),
    'http.get, no retry, no pace': sendBy(bare),
    'http.get, no pace': sendBy(retrying),
    'http.get as it comes': sendBy(http),
    'http.request(HttpRequest)': sendValue,
    asFetch: async (url, body) => (await fetching(url, initOf(body))).json(),
    'http.get on coldfetch/undici': sendBy(byUndici),
    'asFetch on coldfetch/undici': async (url, body) => (await fetchingByUndici(url, initOf(body))).json(),
    "undici's request": async (url, body) => {
      const { body: answer } = await request(url, body === undefined ? {} : { method: 'POST', headers: JSON_TYPE, body });
      return answer.json();
    },
    "RxJS's fromFetch": (url, body) => firstValueFrom(fromFetch(url, { ...initOf(body), selector: jsonOf })),
  };
  const [retry, ofetch, axios, got, ky] = [
    await peer('p-retry'),
    await peer('ofetch'),
    await peer('axios'),
    await peer('got'),
    await peer('ky'),
  ];
  return {
    ...ours,
    ...(retry && { 'p-retry': (url, body) => retry.default(async () => jsonOf(await fetch(url, initOf(body)))) }),
    ...(ofetch && { ofetch: (url, body) => ofetch.ofetch(url, initOf(body)) }),
    ...(axios && {
      axios: async (url, body) =>
        (await axios.default.request({ url, method: body === undefined ? 'GET' : 'POST', data: body, headers: JSON_TYPE })).data,
    }),
    ...(got && { got: (url, body) => got.default(url, initOf(body)).json() }),
    ...(ky && { ky: (url, body) => ky.default(url, initOf(body)).json() }),
  } satisfies Record<string, Send>;
}
