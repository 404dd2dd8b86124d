import { map, mergeMap, type MonoTypeOperatorFunction, type Observable, type ObservableInput, of } from 'rxjs';
import { type } from 'arktype';
import * as v from 'valibot';
import type { Agent, MockAgent, ProxyAgent } from 'undici';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import * as coldfetch from 'coldfetch';
import { type Dispatcher, undici, type UndiciOptions } from 'coldfetch/undici';
import { xhr } from 'coldfetch/xhr';
import type {
  AsFetchOptions,
  Ask,
  Backoff,
  Body,
  BodyFunction,
  CacheStore,
  ClientOptions,
  ColdFetchInit,
  DelaySource,
  EachEventOptions,
  FetchLike,
  GiveUpReason,
  Handler,
  HeadersLike,
  HttpClient,
  HttpEvent,
  Interceptor,
  Limiter,
  Permit,
  PolicyName,
  QuotaWindow,
  RequestBody,
  RequestSummary,
  ResponseEvent,
  ResponseType,
  RetryAfterInput,
  RetryEvent,
  RetryPolicy,
  RetryPolicyInput,
  RetryReport,
  RetryRule,
  ServerSentEvent,
  StreamBody,
  WaitEvent,
} from 'coldfetch';

// Nothing here is run for its effect: the compiler is what tries it.

interface User {
  readonly name: string;
}

const {
  acquire,
  adaptiveConcurrency,
  allOf,
  asFetch,
  circuitBreaker,
  coldFetch,
  concurrency,
  createClient,
  delaySources,
  eachEvent,
  exponential,
  isHttpError,
  jsonLines,
  jsonLog,
  limitWith,
  linkPages,
  httpCache,
  memoryCache,
  metrics,
  numberedPages,
  offsetPages,
  pacer,
  paginate,
  parseRetryAfter,
  perOrigin,
  policies,
  readRateLimit,
  retryAfter,
  retryBudget,
  retryReport,
  serverSentEvents,
  spacing,
  tokenBucket,
} = coldfetch;

describe('coldFetch', () => {
  it('is an observable of the Response, or of what the selector makes of it', () => {
    expectTypeOf(coldFetch('/')).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(coldFetch(new URL('https://api.test/'), {})).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(coldFetch(new Request('https://api.test/'), { selector: (response) => response.text() })).toEqualTypeOf<
      Observable<string>
    >();
    expectTypeOf(coldFetch<User>('/', { selector: (response) => response.json() as Promise<User> })).toEqualTypeOf<Observable<User>>();
  });

  it('takes what fetch takes, and its own', () => {
    expectTypeOf<ColdFetchInit['timeout']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ColdFetchInit['abort$']>().toEqualTypeOf<Observable<unknown> | undefined>();
    expectTypeOf<ColdFetchInit['signal']>().toEqualTypeOf<AbortSignal | null | undefined>();
    expectTypeOf<ColdFetchInit['fetch']>().toEqualTypeOf<FetchLike | undefined>();
    expectTypeOf<ColdFetchInit['body']>().toEqualTypeOf<RequestBody | null | undefined>();
    expectTypeOf<ColdFetchInit>().toHaveProperty('credentials');
    expectTypeOf(globalThis.fetch).toExtend<FetchLike>();
    expectTypeOf<(input: string | URL | Request, init: RequestInit) => Observable<Response>>().toExtend<FetchLike>();
    expectTypeOf<BodyFunction>().toExtend<RequestBody>();
    expectTypeOf<StreamBody>().toExtend<Body>();
    expectTypeOf<ReturnType<BodyFunction>>().toEqualTypeOf<Body | PromiseLike<Body>>();
  });
});

describe('retryAfter', () => {
  it('keeps the type of its source', () => {
    expectTypeOf(coldFetch('/').pipe(retryAfter())).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(coldFetch('/').pipe(retryAfter({ ...policies.api, deadline: 10_000 }))).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(retryAfter<User>()).toEqualTypeOf<MonoTypeOperatorFunction<User>>();
    expectTypeOf(coldFetch('/').pipe(retryAfter(2))).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(coldFetch('/').pipe(retryAfter({ retries: 2, limiter: pacer() }))).toEqualTypeOf<Observable<Response>>();
  });

  it('takes a policy and a limiter, a number of retries, and nothing else', () => {
    expectTypeOf(retryAfter<User>)
      .parameter(0)
      .toEqualTypeOf<RetryAfterInput<User> | number | undefined>();
    expectTypeOf<RetryPolicyInput<User>>().toExtend<RetryAfterInput<User>>();
    expectTypeOf<RetryAfterInput['limiter']>().toEqualTypeOf<Limiter | undefined>();
    expectTypeOf<RetryPolicyInput['retries']>().toEqualTypeOf<number | undefined>();
    // @ts-expect-error the number of retries of a rule is no policy
    expect(() => retryAfter({ count: 2 })).toThrow('retries');
    // @ts-expect-error a text is no policy
    expect(() => retryAfter('2')).toThrow(coldfetch.UsageError);
  });

  it('takes any part of a policy, and what belongs to one use', () => {
    expectTypeOf<Partial<RetryPolicy>>().toExtend<RetryPolicyInput>();
    expectTypeOf<RetryPolicyInput['abort$']>().toEqualTypeOf<Observable<unknown> | undefined>();
    expectTypeOf<RetryPolicyInput<User>['isProgress']>().toEqualTypeOf<((value: User) => boolean) | undefined>();
    expectTypeOf<RetryPolicyInput['notify']>().toEqualTypeOf<
      ((event: RetryEvent) => void) | { next(event: RetryEvent): void } | undefined
    >();
    expectTypeOf<NonNullable<RetryPolicyInput<User>['resume']>>().returns.toEqualTypeOf<ObservableInput<User>>();
  });

  it('has policies by name, plain and read-only', () => {
    expectTypeOf<PolicyName>().toEqualTypeOf<'standard' | 'upload' | 'api' | 'interactive' | 'batch' | 'patient'>();
    expectTypeOf(policies.standard).toExtend<RetryPolicy>();
    expectTypeOf<RetryPolicy['rules'][string]>().toEqualTypeOf<RetryRule>();
    expectTypeOf<RetryRule['hint']>().toEqualTypeOf<'capped' | 'minimum'>();
    expectTypeOf(exponential({ base: 1 })).toEqualTypeOf<Backoff>();
    expectTypeOf<Backoff>().returns.toBeNumber();
  });

  it('reports on any error', () => {
    expectTypeOf(retryReport).toEqualTypeOf<(error: unknown) => RetryReport | undefined>();
    expectTypeOf<RetryReport['reason']>().toEqualTypeOf<GiveUpReason>();
  });
});

describe('headers', () => {
  it('are read by pure functions', () => {
    expectTypeOf(parseRetryAfter).returns.toEqualTypeOf<number | undefined>();
    expectTypeOf(readRateLimit).returns.toEqualTypeOf<readonly QuotaWindow[]>();
    expectTypeOf(readRateLimit).parameters.toEqualTypeOf<[headers: HeadersLike, now: number]>();
    expectTypeOf(delaySources.retryAfter).toExtend<DelaySource>();
    expectTypeOf<Headers>().toExtend<HeadersLike>();
    expectTypeOf<Map<string, string>>().not.toExtend<HeadersLike>();
  });
});

describe('createClient', () => {
  it('gives methods whose type follows observe and responseType', () => {
    const http: HttpClient = createClient();
    expectTypeOf(http.get('/')).toEqualTypeOf<Observable<unknown>>();
    expectTypeOf(http.get<User>('/')).toEqualTypeOf<Observable<User>>();
    expectTypeOf(http.get<User>('/', { observe: 'body' })).toEqualTypeOf<Observable<User>>();
    expectTypeOf(http.get<User>('/', { observe: 'response' })).toEqualTypeOf<Observable<ResponseEvent<User>>>();
    expectTypeOf(http.get<User>('/', { observe: 'events' })).toEqualTypeOf<Observable<HttpEvent<User>>>();
    expectTypeOf(http.get('/', { responseType: 'text' })).toEqualTypeOf<Observable<string>>();
    expectTypeOf(http.get('/', { responseType: 'blob' })).toEqualTypeOf<Observable<Blob>>();
    expectTypeOf(http.get('/', { responseType: 'bytes' })).toEqualTypeOf<Observable<Uint8Array>>();
    expectTypeOf(http.get('/', { responseType: 'stream' })).toEqualTypeOf<Observable<ReadableStream<Uint8Array> | null>>();
    expectTypeOf(http.get('/', { responseType: 'text', observe: 'response' })).toEqualTypeOf<Observable<ResponseEvent<string>>>();
    expectTypeOf(http.post<User>('/', { any: 'thing' })).toEqualTypeOf<Observable<User>>();
    expectTypeOf(http.put('/', 'text', { responseType: 'text', observe: 'events' })).toEqualTypeOf<Observable<HttpEvent<string>>>();
    expectTypeOf(http.get('/', { responseType: 'arrayBuffer' })).toEqualTypeOf<Observable<ArrayBuffer>>();
    expectTypeOf(http.get('/', { responseType: 'formData', observe: 'response' })).toEqualTypeOf<Observable<ResponseEvent<FormData>>>();
    expectTypeOf(http.request(new coldfetch.HttpRequest('GET', '/'))).toEqualTypeOf<Observable<HttpEvent>>();
    expectTypeOf(http.request('PURGE', '/')).toEqualTypeOf<Observable<unknown>>();
    expectTypeOf(http.request<User>('PUT', '/', { body: { any: 'thing' } })).toEqualTypeOf<Observable<User>>();
    expectTypeOf(http.request<User>('PUT', '/', { observe: 'events' })).toEqualTypeOf<Observable<HttpEvent<User>>>();
    expectTypeOf(http.request('GET', '/', { responseType: 'text' })).toEqualTypeOf<Observable<string>>();
    expectTypeOf(http.extend).toEqualTypeOf<(options: ClientOptions) => HttpClient>();
    expectTypeOf<ResponseType>().toEqualTypeOf<'json' | 'text' | 'blob' | 'bytes' | 'stream'>();
  });

  it('takes the type of a body from its schema', () => {
    const http = createClient();
    const schema = z.object({ name: z.string(), born: z.string().transform((text) => new Date(text)) });
    interface Person {
      name: string;
      born: Date;
    }
    expectTypeOf(http.get('/', { schema })).toEqualTypeOf<Observable<Person>>();
    expectTypeOf(http.get('/', { schema, observe: 'response' })).toEqualTypeOf<Observable<ResponseEvent<Person>>>();
    expectTypeOf(http.get('/', { schema, observe: 'events' })).toEqualTypeOf<Observable<HttpEvent<Person>>>();
    expectTypeOf(http.post('/', { any: 'thing' }, { schema })).toEqualTypeOf<Observable<Person>>();
    expectTypeOf(http.request('GET', '/', { schema })).toEqualTypeOf<Observable<Person>>();
    expectTypeOf(http.get('/', { schema: v.object({ name: v.string() }) })).toEqualTypeOf<Observable<{ name: string }>>();
    expectTypeOf(http.get('/', { schema: type({ name: 'string' }) })).toEqualTypeOf<Observable<{ name: string }>>();
    expectTypeOf(http.get('/', { schema: z.coerce.number(), responseType: 'text' })).toEqualTypeOf<Observable<number>>();
    // @ts-expect-error what is no schema
    void http.get('/', { schema: { name: 'string' } });
  });

  it('takes values that change as functions', () => {
    expectTypeOf<() => { authorization: string }>().toExtend<ClientOptions['headers']>();
    expectTypeOf<() => Promise<{ authorization: string | undefined }>>().toExtend<ClientOptions['headers']>();
    expectTypeOf<(request: coldfetch.HttpRequest) => Observable<Headers>>().toExtend<ClientOptions['headers']>();
    expectTypeOf<() => Promise<string>>().toExtend<ClientOptions['baseUrl']>();
    expectTypeOf<URLSearchParams>().toExtend<coldfetch.Params>();
    expectTypeOf<Handler>().toExtend<ClientOptions['transport']>();
    expectTypeOf(xhr).toEqualTypeOf<() => Handler>();
    expectTypeOf(undici).toEqualTypeOf<(options?: UndiciOptions) => Handler>();
    expectTypeOf<Agent | ProxyAgent | MockAgent>().toExtend<Dispatcher>();
  });

  it('refuses what it does not know', () => {
    const http = createClient();
    // @ts-expect-error a response type that is none
    void http.get('/', { responseType: 'xml' });
    // @ts-expect-error an option that is none, beside a response type
    void http.get('/', { responseType: 'text', heders: {} });
    // @ts-expect-error an option that is none, beside a schema
    void http.post('/', {}, { schema: z.string(), query: {} });
    // @ts-expect-error a header field without a value
    void http.get('/', { headers: { accept: 5 } });
    // @ts-expect-error an option that is none
    expect(() => createClient({ baseURL: 'https://api.test' })).toThrow('baseURL');
  });

  it('puts interceptors between', () => {
    expectTypeOf<Handler>().toEqualTypeOf<(request: coldfetch.HttpRequest) => Observable<HttpEvent>>();
    expectTypeOf<Interceptor>().parameters.toEqualTypeOf<[request: coldfetch.HttpRequest, next: Handler]>();
    expectTypeOf<ClientOptions['interceptors']>().toEqualTypeOf<readonly Interceptor[] | undefined>();
  });

  it('types the values that travel with a request', () => {
    const token = new coldfetch.HttpContextToken('n', () => 1);
    expectTypeOf(coldfetch.HttpContext.empty.get(token)).toBeNumber();
    expectTypeOf(coldfetch.HttpContext.of(coldfetch.PRIORITY, 'interactive')).toEqualTypeOf<coldfetch.HttpContext>();
    // @ts-expect-error another type than the token's
    coldfetch.HttpContext.of(token, 'one');
  });
});

describe('events', () => {
  it('are told apart by their type', () => {
    expectTypeOf<HttpEvent['type']>().toEqualTypeOf<'sent' | 'upload' | 'headers' | 'download' | 'wait' | 'gave-up' | 'response'>();
    expectTypeOf<HttpEvent['attempt']>().toBeNumber();
    expectTypeOf<Extract<HttpEvent, { type: 'wait' }>>().toEqualTypeOf<WaitEvent>();
    expectTypeOf<Extract<HttpEvent<User>, { type: 'response' }>['body']>().toEqualTypeOf<User>();
  });
});

describe('errors', () => {
  it('are narrowed by their guards', () => {
    const error: unknown = undefined;
    if (isHttpError(error)) {
      expectTypeOf(error).toEqualTypeOf<coldfetch.HttpError>();
      expectTypeOf(error.status).toBeNumber();
      expectTypeOf(error.response).toEqualTypeOf<Response>();
      expectTypeOf(error.request).toEqualTypeOf<RequestSummary>();
    }
    expectTypeOf(coldfetch.isNetworkError).guards.toEqualTypeOf<coldfetch.NetworkError>();
    expectTypeOf(coldfetch.isTimeoutError).guards.toEqualTypeOf<coldfetch.TimeoutError>();
    expectTypeOf(coldfetch.isDeadlineError).guards.toEqualTypeOf<coldfetch.DeadlineError>();
    expectTypeOf(coldfetch.isBodyError).guards.toEqualTypeOf<coldfetch.BodyError>();
    expectTypeOf(coldfetch.isUsageError).guards.toEqualTypeOf<coldfetch.UsageError>();
    expectTypeOf(coldfetch.isLimiterError).guards.toEqualTypeOf<coldfetch.LimiterError>();
    expectTypeOf(coldfetch.isColdfetchError).guards.toEqualTypeOf<coldfetch.ColdfetchError>();
    expectTypeOf<coldfetch.NetworkError['code']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<coldfetch.LimiterError['reason']>().toEqualTypeOf<'exhausted' | 'max-hint' | 'max-wait' | 'queue-full' | 'never'>();
    expectTypeOf<coldfetch.LimiterErrorReason>().toEqualTypeOf<coldfetch.LimiterError['reason']>();
    expectTypeOf<coldfetch.DeadlineError>().not.toHaveProperty('reason');
  });
});

describe('a number of retries', () => {
  it('is a policy for clients, requests and asFetch', () => {
    expectTypeOf<ClientOptions['retry']>().toEqualTypeOf<coldfetch.RetryOptions | number | false | undefined>();
    expectTypeOf<coldfetch.RequestOptions['retry']>().toEqualTypeOf<ClientOptions['retry']>();
    expectTypeOf<AsFetchOptions['retry']>().toEqualTypeOf<ClientOptions['retry']>();
    expectTypeOf(createClient({ retry: 2 })).toEqualTypeOf<HttpClient>();
    expectTypeOf(createClient({ retry: { retries: 2 } })).toEqualTypeOf<HttpClient>();
    expectTypeOf(coldfetch.RETRY).toEqualTypeOf<coldfetch.HttpContextToken<ClientOptions['retry']>>();
  });

  it('leaves the deadline to an option of its own', () => {
    expectTypeOf<ClientOptions['deadline']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<coldfetch.RequestOptions['deadline']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<AsFetchOptions['deadline']>().toEqualTypeOf<number | undefined>();
  });
});

describe('asFetch', () => {
  it('is a fetch, made of the options of a client', () => {
    expectTypeOf(asFetch).toEqualTypeOf<(options?: AsFetchOptions) => typeof fetch>();
    expectTypeOf<ClientOptions>().toExtend<AsFetchOptions>();
  });
});

describe('eachEvent', () => {
  it('iterates over what the source emits', () => {
    expectTypeOf(eachEvent<User>).returns.toExtend<AsyncIterableIterator<User>>();
    expectTypeOf(eachEvent<User>)
      .parameter(0)
      .toEqualTypeOf<Observable<User>>();
    expectTypeOf<EachEventOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
  });
});

describe('limiters', () => {
  it('are one interface, and permits are subscriptions', () => {
    expectTypeOf(pacer()).toExtend<Limiter>();
    expectTypeOf(concurrency(2)).toExtend<Limiter>();
    expectTypeOf(tokenBucket({ rate: 1, burst: 1 })).toExtend<Limiter>();
    expectTypeOf(allOf(concurrency(1))).toExtend<Limiter>();
    expectTypeOf<Limiter['check']>().parameter(0).toEqualTypeOf<Ask>();
    expectTypeOf<Limiter['check']>().returns.toBeNumber();
    expectTypeOf<Limiter['take']>().returns.toEqualTypeOf<Permit>();
    expectTypeOf(acquire).returns.toEqualTypeOf<Observable<Permit>>();
    expectTypeOf(limitWith).parameter(0).toEqualTypeOf<Limiter>();
  });

  it('tell those that wait, and hear what a value did cost', () => {
    expectTypeOf<NonNullable<coldfetch.AcquireOptions['onWait']>>().parameter(0).toEqualTypeOf<coldfetch.WaitEstimate>();
    expectTypeOf<coldfetch.WaitEstimate>().toExtend<coldfetch.Estimate>();
    expectTypeOf<coldfetch.WaitEstimate['position']>().toBeNumber();
    expectTypeOf<ReturnType<NonNullable<Limiter['estimate']>>>().toEqualTypeOf<coldfetch.Estimate | undefined>();
    expectTypeOf(limitWith<User>)
      .parameter(2)
      .toEqualTypeOf<coldfetch.LimitOptions<User> | undefined>();
  });
});

describe('gates', () => {
  it('tell when a permit is settled whether they hold what follows, and by which refusal', () => {
    expectTypeOf<Permit['settle']>().parameter(0).toEqualTypeOf<coldfetch.Outcome>();
    expectTypeOf<Permit['settle']>().returns.toEqualTypeOf<coldfetch.Hold | undefined>();
    expectTypeOf<coldfetch.Hold['refusal']>().toEqualTypeOf<coldfetch.Refusal>();
    expectTypeOf<coldfetch.Refusal['answer']>().toEqualTypeOf<coldfetch.ResponseOutcome>();
    expectTypeOf<coldfetch.Refusal['delay']>().toEqualTypeOf<number | undefined>();
  });

  it('ask a plan when an ask may be sent after a refusal', () => {
    expectTypeOf<NonNullable<Ask['plan']>>().toEqualTypeOf<(refusal: coldfetch.Refusal) => number>();
  });
});

describe('limiters that say more', () => {
  it('tell the state of an origin', () => {
    expectTypeOf(circuitBreaker()).toExtend<Limiter>();
    expectTypeOf(circuitBreaker().state$('https://api.example.com')).toEqualTypeOf<Observable<'closed' | 'open' | 'half-open'>>();
  });

  it('are made for each origin by one function', () => {
    expectTypeOf(perOrigin).parameter(0).toEqualTypeOf<(origin: string) => Limiter>();
    expectTypeOf(perOrigin(() => spacing(100))).toExtend<Limiter>();
    expectTypeOf([adaptiveConcurrency(), retryBudget()]).items.toExtend<Limiter>();
  });

  it('are a client’s pace, or none', () => {
    expectTypeOf<Limiter | false>().toExtend<ClientOptions['pace']>();
    // @ts-expect-error no limiter
    expect(() => createClient({ pace: { rate: 5 } })).toThrow('rate');
  });

  it('wait within bounds that a client says', () => {
    expectTypeOf<coldfetch.PaceOptions['maxWait']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<coldfetch.PaceOptions & { limiter: Limiter }>().toExtend<ClientOptions['pace']>();
  });
});

describe('paginate', () => {
  const users$ = of<User[]>([]);

  it('gives the items of its pages; the cursor is what next is', () => {
    expectTypeOf(paginate((cursor) => users$.pipe(map((items) => ({ items, next: cursor }))))).toEqualTypeOf<Observable<User>>();
    void paginate((cursor?: number) => {
      expectTypeOf(cursor).toEqualTypeOf<number | undefined>();
      return users$.pipe(map((items) => ({ items, next: items.length })));
    });
    // @ts-expect-error a page has items
    void paginate(() => of({ rows: [] }));
  });

  it('gives what each makes of an item', () => {
    const pages = () => users$.pipe(map((items) => ({ items })));
    expectTypeOf(paginate(pages, { each: ({ name }) => [name.length] })).toEqualTypeOf<Observable<number>>();
  });

  it('takes pages by offset and by number, which count', () => {
    expectTypeOf(paginate(offsetPages(() => users$))).toEqualTypeOf<Observable<User>>();
    expectTypeOf(paginate(numberedPages(() => users$))).toEqualTypeOf<Observable<User>>();
    expectTypeOf(offsetPages(() => users$))
      .parameter(0)
      .toEqualTypeOf<number | undefined>();
  });

  it('follows links with a client, or with a function', () => {
    const http = createClient();
    expectTypeOf(linkPages<User>(http, '/users')).toEqualTypeOf<Observable<User>>();
    const items = ({ users }: { users: User[] }): User[] => users;
    expectTypeOf(linkPages(http, '/users', { items })).toEqualTypeOf<Observable<User>>();
  });
});

describe('streams', () => {
  it('are selectors, and take what responseType: stream gives', () => {
    expectTypeOf(coldFetch('/lines', { selector: jsonLines<User>() })).toEqualTypeOf<Observable<User>>();
    const http = createClient();
    const lines$ = http.get('/lines', { responseType: 'stream' }).pipe(mergeMap(jsonLines<User>()));
    expectTypeOf(lines$).toEqualTypeOf<Observable<User>>();
    expectTypeOf(jsonLines({ parse: (line) => line.length })).returns.toEqualTypeOf<Observable<number>>();
    expectTypeOf(jsonLines({ schema: z.object({ name: z.string() }) })).returns.toEqualTypeOf<Observable<{ name: string }>>();
    expectTypeOf(jsonLines({ schema: z.number(), each: (n) => [n.toFixed()] })).returns.toEqualTypeOf<Observable<string>>();
  });

  it('are connections made with the header fields they are given', () => {
    const http = createClient();
    const events$ = serverSentEvents((headers) => http.get('/events', { headers, responseType: 'stream' }));
    expectTypeOf(events$).toEqualTypeOf<Observable<ServerSentEvent>>();
    expectTypeOf<ServerSentEvent['data']>().toBeString();
    const schema = v.object({ price: v.number() });
    const connect = () => of(null);
    expectTypeOf(serverSentEvents(connect, { schema })).toEqualTypeOf<Observable<ServerSentEvent<{ price: number }>>>();
    expectTypeOf(serverSentEvents(connect, { schema, each: ({ data }) => [data.price] })).toEqualTypeOf<Observable<number>>();
    expectTypeOf(serverSentEvents(connect, { each: ({ data }) => [data.length] })).toEqualTypeOf<Observable<number>>();
  });

  it('say how far they got', () => {
    expectTypeOf(coldfetch.isStreamError).guards.toEqualTypeOf<coldfetch.StreamError>();
    expectTypeOf<coldfetch.StreamError['progress']>().toEqualTypeOf<coldfetch.StreamProgress>();
    expectTypeOf(coldfetch.isPaginationError).guards.toEqualTypeOf<coldfetch.PaginationError>();
    expectTypeOf(coldfetch.paginationReport).returns.toEqualTypeOf<coldfetch.PaginationReport | undefined>();
  });
});

describe('cache', () => {
  it('is an option of a client, its store a small interface', () => {
    createClient({ cache: httpCache() });
    createClient({ cache: httpCache({ ttl: 1000 }) });
    createClient({ cache: httpCache({ store: memoryCache({ maxBytes: 1e6 }) }) });
    expectTypeOf(memoryCache()).toExtend<CacheStore>();
    expectTypeOf<Map<string, coldfetch.CacheEntry>['get']>().toExtend<CacheStore['get']>();
  });
});

describe('listeners', () => {
  it('are handed to notify', () => {
    retryAfter({ notify: jsonLog() });
    retryAfter({ notify: metrics() });
    expectTypeOf(metrics().interceptor).toEqualTypeOf<Interceptor>();
    expectTypeOf(metrics().snapshot).returns.toEqualTypeOf<coldfetch.MetricsSnapshot>();
  });
});
