import {
  type Context,
  context as contexts,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { Observable, tap } from 'rxjs';
import type { Interceptor } from '../../request/Handler.js';
import { HttpContextToken } from '../../request/HttpContext.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { errorType, failureMessage, requestAttributes, spanName } from './attributes.js';

/** Options of {@link tracing}. */
export interface TracingOptions {
  /** Where the tracer comes from; the globally registered provider by default. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Which requests carry the trace's header fields (`traceparent`, by the registered propagator); all by default. In a browser another origin has
   * to allow them (CORS).
   */
  readonly propagate?: ((request: HttpRequest) => boolean) | undefined;
  /** Names of query parameters whose values may be seen in `url.full`; the others' are `REDACTED`. None by default. */
  readonly shownParams?: readonly string[] | undefined;
}

/** The two stations of {@link tracing}, as options of a client. */
export interface Tracing {
  readonly interceptors: readonly Interceptor[];
  readonly attemptInterceptors: readonly Interceptor[];
}

/** The context in which the operation was subscribed. */
const PARENT = new HttpContextToken<Context | undefined>('trace parent', () => undefined);

/**
 * Traces a client: one span for each attempt, by the HTTP semantic conventions (stable names), with `http.request.resend_count` from the second
 * attempt on. Waits are the gaps between the spans.
 *
 * All attempts are children of the span that was active when the operation was subscribed: in the timer from which a retry is sent, it is no
 * longer. A span ends with the answer (its body read, unless it is asked for as a stream), the error, or unsubscribing (an event `cancelled`, no
 * error). Its `url.full` shows neither user info nor values of query parameters; header fields and bodies are not recorded.
 *
 * Instrumentations of `fetch` (undici's) would add a span of their own below each of these: leave one of the two out.
 *
 * @example
 * const http = createClient({ baseUrl: 'https://api.example.com', ...tracing() });
 *
 * @example
 * const spans = tracing();
 * createClient({ interceptors: [...spans.interceptors, mine], attemptInterceptors: [sign, ...spans.attemptInterceptors] });
 */
export function tracing({ tracerProvider, propagate = () => true, shownParams = [] }: TracingOptions = {}): Tracing {
  const tracer = (): Tracer => (tracerProvider ?? trace).getTracer('coldfetch');

  const capture: Interceptor = (request, next) =>
    new Observable((subscriber) => next(request.clone({ context: request.context.set(PARENT, contexts.active()) })).subscribe(subscriber));

  const attempt: Interceptor = (request, next) =>
    new Observable((subscriber) => {
      const parent = request.context.get(PARENT) ?? contexts.active();
      const attributes = requestAttributes(request, shownParams);
      const span = tracer().startSpan(spanName(request), { kind: SpanKind.CLIENT, attributes }, parent);
      // Behind everything that is added later: an answer or an error has ended it by then.
      subscriber.add(() => {
        if (span.isRecording()) span.addEvent('cancelled').end();
      });
      const active = trace.setSpan(parent, span);
      const traced = propagate(request) ? withTrace(request, active) : request;
      contexts.with(active, () => subscriber.add(next(traced).pipe(record(span)).subscribe(subscriber)));
    });

  return { interceptors: [capture], attemptInterceptors: [attempt] };
}

function withTrace(request: HttpRequest, context: Context): HttpRequest {
  const setHeaders: Record<string, string> = {};
  propagation.inject(context, setHeaders);
  return request.clone({ setHeaders });
}

/** Writes on a span what happens, and ends it with the answer or the error. */
function record(span: Span) {
  return tap<HttpEvent>({
    next: (event) => {
      if (event.type === 'headers') span.setAttribute('http.response.status_code', event.status);
      // Not at completion: the receiver may unsubscribe as soon as it has the answer.
      if (event.type === 'response') span.end();
    },
    error: (error: unknown) => {
      const message = failureMessage(error);
      span
        .setAttribute('error.type', errorType(error))
        .setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
        .end();
    },
    complete: () => {
      if (span.isRecording()) span.end();
    },
  });
}
