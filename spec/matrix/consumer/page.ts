/** An application in a page, as the compilers of users see it: no type of Node. */
import { lastValueFrom, map, type Observable } from 'rxjs';
import {
  asFetch,
  type ClientOptions,
  coldFetch,
  createClient,
  eachEvent,
  type HttpClient,
  HttpContext,
  HttpContextToken,
  type HttpEvent,
  type Interceptor,
  isHttpError,
  jsonLines,
  type Limiter,
  linkPages,
  pacer,
  paginate,
  policies,
  PRIORITY,
  retryAfter,
  retryReport,
  type RetryPolicyInput,
  serverSentEvents,
  tokenBucket,
} from 'coldfetch';
import { createClient as bareClient } from 'coldfetch/core';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { renderSvg, timelineRecorder } from 'coldfetch/timeline';
import { xhr } from 'coldfetch/xhr';

export interface User {
  id: number;
  name: string;
}

const TENANT = new HttpContextToken('tenant', () => 'none');
const sign: Interceptor = (request, next) => next(request.clone({ setHeaders: { 'x-tenant': request.context.get(TENANT) } }));
const limiter: Limiter = tokenBucket({ rate: 5, burst: 20 });
const retry: RetryPolicyInput<User> = { ...policies.interactive, deadline: 8000, notify: (event) => console.log(event.type) };
const options: ClientOptions = {
  baseUrl: '/api',
  retry: policies.patient,
  pace: { limiter, maxQueued: 10 },
  transport: xhr(),
  interceptors: [sign],
};

export const http: HttpClient = createClient(options).extend({ headers: () => ({ authorization: 'Bearer secret' }), pace: pacer() });
export const user$: Observable<User> = http.get<User>('users/1', { context: HttpContext.of(PRIORITY, 'interactive') });
export const name$: Observable<string> = user$.pipe(
  retryAfter(retry),
  map(({ name }) => name),
);
export const bytes: Promise<Uint8Array> = lastValueFrom(http.get('logo', { responseType: 'bytes' }));
export const status$: Observable<number> = http
  .post<User>('users', { name: 'Ada' }, { observe: 'response' })
  .pipe(map(({ status }) => status));
export const rows$: Observable<User> = coldFetch('/export', { selector: jsonLines<User>() });
export const events$: Observable<string> = serverSentEvents((headers) => coldFetch('/events', { headers })).pipe(map(({ data }) => data));
export const issues$: Observable<User> = linkPages<User>(http, 'issues');
export const pages$: Observable<User> = paginate((cursor?: string) =>
  http.get<{ items: User[]; next?: string }>('users', { params: { cursor } }),
);
export const bare: HttpClient = bareClient({ baseUrl: '/api', pace: pacer() });
export const patientFetch: typeof fetch = asFetch({ retry: 2 });

export async function upload(file: Blob, show: (share: number) => void): Promise<void> {
  const recorder = timelineRecorder();
  const events: Observable<HttpEvent<User>> = http.post<User>('files', file, { observe: 'events' });
  try {
    for await (const event of eachEvent(events)) if (event.type === 'upload') show(event.loaded / (event.total ?? NaN));
  } catch (error) {
    if (isHttpError(error)) console.log(error.status, error.body, retryReport(error)?.reason, renderSvg(recorder.timeline()));
  }
}

export function spec(): void {
  marbles(({ server, http: scripted, expect$ }) => {
    server.on('GET /users', '5ms a', { a: reply(200, { json: [] }) });
    expect$(scripted.get<User[]>('/users')).toBeMarbles('5ms (a|)', { a: [] });
    expect$(scriptedFetch([reply(200)])).toHaveRequests('');
  });
}
