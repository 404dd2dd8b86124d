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
import { Observable, type Subscriber, tap } from 'rxjs';
import type { Interceptor } from '../../request/Handler.js';
import { HttpContextToken } from '../../request/HttpContext.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { errorType, failureMessage, requestAttributes, spanName, waitAttributes } from './attributes.js';

/** Options of {@link tracing}. */
export interface TracingOptions {
  /** Provider of the tracer; the globally registered one by default. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Filter of the requests that carry the trace's header fields (`traceparent`, by the registered propagator); all do by default. In a
   * browser another origin has to allow the fields (CORS).
   */
  readonly propagate?: ((request: HttpRequest) => boolean) | undefined;
  /**
   * True if the spans of the attempts are children of one span around the whole operation, its waits too; `true` by default. The
   * operation's span is internal (the attempts are the client spans), has the attempts' name, and ends with the operation.
   */
  readonly operationSpan?: boolean | undefined;
  /** Names of query parameters whose values may be seen in `url.full`; the others' are `REDACTED`. None by default. */
  readonly shownParams?: readonly string[] | undefined;
}

/** Interceptors of {@link tracing}, as options of a client. */
export interface Tracing {
  readonly interceptors: readonly Interceptor[];
  readonly attemptInterceptors: readonly Interceptor[];
}

/** The context that the spans of the attempts belong to: that of the operation's span, or the one in which it was subscribed. */
const PARENT = new HttpContextToken<Context | undefined>('trace parent', () => undefined);

/**
 * Traces a client: one span for each attempt, by the HTTP semantic conventions (stable names), with `http.request.resend_count` from the second
 * attempt on, and one span around them for the operation. Each wait is an event `coldfetch.wait` of the operation's span: how long, which rule
 * of the policy, and where the delay came from (`retryAfter`, `backoff`, ...).
 *
 * The operation's span is a child of the one that was active at the subscription: in the timer from which a retry is sent, it is no longer.
 * With `operationSpan: false` the attempts are its children, and the waits its events. A span ends with the answer (its body read, unless it is asked for as a stream), the error, or unsubscribing (an event `cancelled`, no
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
export function tracing({ tracerProvider, propagate = () => true, operationSpan = true, shownParams = [] }: TracingOptions = {}): Tracing {
  const tracer = (): Tracer => (tracerProvider ?? trace).getTracer('coldfetch');

  const operation: Interceptor = (request, next) =>
    new Observable((subscriber) => {
      const outer = contexts.active();
      const span = operationSpan
        ? tracer().startSpan(spanName(request), { kind: SpanKind.INTERNAL, attributes: requestAttributes(request, shownParams) }, outer)
        : undefined;
      if (span) endWith(subscriber, span);
      const parent = span ? trace.setSpan(outer, span) : outer;
      const events$ = next(request.clone({ context: request.context.set(PARENT, parent) })).pipe(recordWaits(trace.getSpan(parent)));
      subscriber.add((span ? events$.pipe(record(span)) : events$).subscribe(subscriber));
    });

  const attempt: Interceptor = (request, next) =>
    new Observable((subscriber) => {
      const parent = request.context.get(PARENT) ?? contexts.active();
      const attributes = requestAttributes(request, shownParams);
      const span = tracer().startSpan(spanName(request), { kind: SpanKind.CLIENT, attributes }, parent);
      endWith(subscriber, span);
      const active = trace.setSpan(parent, span);
      const traced = propagate(request) ? withTrace(request, active) : request;
      contexts.with(active, () => subscriber.add(next(traced).pipe(record(span)).subscribe(subscriber)));
    });

  return { interceptors: [operation], attemptInterceptors: [attempt] };
}

function withTrace(request: HttpRequest, context: Context): HttpRequest {
  const setHeaders: Record<string, string> = {};
  propagation.inject(context, setHeaders);
  return request.clone({ setHeaders });
}

/** Ends a span as cancelled when the subscriber leaves before an answer or an error has ended it. */
function endWith(subscriber: Subscriber<HttpEvent>, span: Span): void {
  subscriber.add(() => {
    if (span.isRecording()) span.addEvent('cancelled').end();
  });
}

/** Writes the waits between the attempts on a span. */
function recordWaits(span: Span | undefined) {
  return tap<HttpEvent>((event) => {
    if (event.type === 'wait') span?.addEvent('coldfetch.wait', waitAttributes(event));
  });
}

/** Writes the events of an attempt on a span, and ends the span with the response or the error. */
function record(span: Span) {
  return tap<HttpEvent>({
    next: (event) => {
      if (event.type === 'headers') span.setAttribute('http.response.status_code', event.status);
      // The span is not ended at completion: the receiver may unsubscribe as soon as it has the response.
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
