import type { Observable } from 'rxjs';
import type { HttpEvent } from './HttpEvent.js';
import type { HttpRequest } from './HttpRequest.js';

/** Carries a request onward; cold: each subscription is one operation. */
export type Handler = (request: HttpRequest) => Observable<HttpEvent>;

/** A step between a client and its transport: it may change the request, the events, or answer by itself. It knows only the next handler. */
export type Interceptor = (request: HttpRequest, next: Handler) => Observable<HttpEvent>;

/** One handler that passes requests through `interceptors` in their order and then to `end`. */
export function chain(interceptors: readonly Interceptor[], end: Handler): Handler {
  return interceptors.reduceRight<Handler>((next, intercept) => (request) => intercept(request, next), end);
}
