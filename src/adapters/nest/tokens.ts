import { Inject } from '@nestjs/common';

/**
 * Provider token of a client of `ColdfetchModule`; for tests, `overrideProvider(getClientToken())`.
 *
 * @param name the `name` under which it was registered
 */
export const getClientToken = (name?: string): string => tokenOf('client', name);

/** Provider token of a client's events, an `Observable<ClientEvent>`; see {@link getClientToken}. */
export const getEventsToken = (name?: string): string => tokenOf('events', name);

/** Provider token of the limiter that a client paces by; see {@link getClientToken}. */
export const getLimiterToken = (name?: string): string => tokenOf('limiter', name);

/**
 * Injects a client of `ColdfetchModule`, an `HttpClient` of coldfetch.
 *
 * @example
 * constructor(@InjectClient() private readonly http: HttpClient) {}
 */
export const InjectClient = (name?: string): InjectDecorator => Inject(getClientToken(name));

/**
 * Injects the events of a client of `ColdfetchModule`.
 *
 * @example
 * constructor(@InjectEvents() events$: Observable<ClientEvent>) {}
 */
export const InjectEvents = (name?: string): InjectDecorator => Inject(getEventsToken(name));

/**
 * Injects the limiter that a client of `ColdfetchModule` paces by, for requests that another client sends to the same server. A client with
 * `pace: false` has none: undefined is injected.
 *
 * @example
 * constructor(@InjectLimiter() private readonly limiter: Limiter, private readonly http: HttpService) {}
 *
 * find(url: string): Observable<AxiosResponse> {
 *   return this.http.get(url).pipe(retryAfter({ ...policies.api, limiter: this.limiter, request: { url } }));
 * }
 */
export const InjectLimiter = (name?: string): InjectDecorator => Inject(getLimiterToken(name));

type InjectDecorator = ReturnType<typeof Inject>;

function tokenOf(part: string, name = 'default'): string {
  return `coldfetch:${name}:${part}`;
}
