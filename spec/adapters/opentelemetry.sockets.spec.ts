import { type Context, type ContextManager, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { firstValueFrom, take, timer } from 'rxjs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient, type HttpClient, HttpRequest } from 'coldfetch';
import { tracing, type TracingOptions } from 'coldfetch/opentelemetry';
import { marbles, reply, scriptedFetch, type Script, type ScriptedFetch } from 'coldfetch/testing';
import { throttled } from './support.js';

/** Knows the active context only while `with` runs: in a timer it is gone. */
class StackContextManager implements ContextManager {
  readonly #stack: Context[] = [];
  active = (): Context => this.#stack.at(-1) ?? ROOT_CONTEXT;
  with: ContextManager['with'] = (active, act, self, ...args) => {
    this.#stack.push(active);
    try {
      return Reflect.apply(act, self, args);
    } finally {
      this.#stack.pop();
    }
  };
  bind = <T>(_: Context, target: T): T => target;
  enable = (): this => this;
  disable = (): this => this;
}

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => {
  context.setGlobalContextManager(new StackContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
beforeEach(() => exporter.reset());
afterAll(() => {
  context.disable();
  propagation.disable();
});

/** The spans, of attempts and of operations, of what `act` does with a client whose server answers by `script`, in virtual time. */
function spansOf(
  script: Script,
  act: (http: HttpClient) => void,
  { options, client }: { readonly options?: TracingOptions; readonly client?: ClientOptions } = {},
): {
  readonly spans: readonly ReadableSpan[];
  readonly operations: readonly ReadableSpan[];
  readonly requests: ScriptedFetch['requests'];
} {
  const fetch = scriptedFetch(script);
  marbles(({ flush, random }) => {
    act(
      createClient({
        baseUrl: 'https://api.test',
        fetch,
        retry: { random },
        ...tracing({ tracerProvider, ...options }),
        ...client,
      }),
    );
    flush();
    expect(fetch.requests.length).toBeGreaterThan(0);
  });
  return { spans: finished(SpanKind.CLIENT), operations: finished(SpanKind.INTERNAL), requests: fetch.requests };
}

const finished = (kind: SpanKind): readonly ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.kind === kind);

const get = (url: string) => (http: HttpClient) => void http.get(url).subscribe({ error: () => {} });
const parentsOf = (spans: readonly ReadableSpan[]) => spans.map(({ parentSpanContext }) => parentSpanContext?.spanId);
const wait = (delay: number, kind: string, source: string, more: object) => ({
  'coldfetch.wait.delay': delay,
  'coldfetch.wait.kind': kind,
  'coldfetch.wait.source': source,
  'coldfetch.wait.attempt': expect.any(Number) as unknown,
  ...more,
});
const limited = reply(429, { headers: { 'retry-after': '3' } });
const ok = reply(200, { json: 1 });

describe('tracing', () => {
  it('makes a span for each attempt, by the HTTP semantic conventions', () => {
    const { spans } = spansOf([limited, 503, ok], get('/users'));
    const common = {
      'http.request.method': 'GET',
      'url.full': 'https://api.test/users',
      'server.address': 'api.test',
      'server.port': 443,
    };
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual(Array(3).fill(['GET', SpanKind.CLIENT]));
    expect(spans.map(({ attributes }) => attributes)).toEqual([
      { ...common, 'http.response.status_code': 429, 'error.type': '429' },
      { ...common, 'http.response.status_code': 503, 'error.type': '503', 'http.request.resend_count': 1 },
      { ...common, 'http.response.status_code': 200, 'http.request.resend_count': 2 },
    ]);
    expect(spans.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR, SpanStatusCode.UNSET]);
  });

  it('makes a span around all attempts, a child of the span that was active at the subscription', () => {
    const parent = tracerProvider.getTracer('spec').startSpan('parent');
    const { spans, operations } = spansOf([limited, ok], (http) => {
      context.with(trace.setSpan(context.active(), parent), () => get('/users?token=hunter2')(http));
    });
    const [operation] = operations;
    expect(operations).toHaveLength(1);
    expect(operation).toMatchObject({
      name: 'GET',
      parentSpanContext: { spanId: parent.spanContext().spanId },
      attributes: { 'url.full': 'https://api.test/users?token=REDACTED', 'http.response.status_code': 200 },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(parentsOf(spans)).toEqual(Array(2).fill(operation?.spanContext().spanId));
  });

  it('makes all attempts children of the active span where there is to be none around them, and tells it the waits', () => {
    const parent = tracerProvider.getTracer('spec').startSpan('parent');
    const act = (http: HttpClient): void => {
      context.with(trace.setSpan(context.active(), parent), () => get('/users')(http));
    };
    const { spans, operations } = spansOf([limited, ok], act, { options: { operationSpan: false } });
    parent.end();
    expect(operations.filter(({ name }) => name !== 'parent')).toEqual([]);
    expect(parentsOf(spans)).toEqual(Array(2).fill(parent.spanContext().spanId));
    expect(finished(SpanKind.INTERNAL)[0]?.events.map(({ name }) => name)).toEqual(['coldfetch.wait']);
  });

  it('tells each wait as an event: how long, and where the delay came from', () => {
    const { operations } = spansOf([limited, 503, 'network ECONNRESET', ok], get('/users'));
    const events = operations[0]?.events ?? [];
    expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['coldfetch.wait', wait(3, 'throttled', 'retryAfter', { 'http.response.status_code': 429, 'error.type': '429' })],
      ['coldfetch.wait', wait(0.5, 'transient', 'backoff', { 'http.response.status_code': 503, 'error.type': '503' })],
      ['coldfetch.wait', wait(1, 'transient', 'backoff', { 'error.type': 'ECONNRESET' })],
    ]);
  });

  it('ends the span of an operation with its failure', () => {
    const { operations } = spansOf([404], get('/users'));
    expect(operations).toMatchObject([{ attributes: { 'error.type': '404' }, status: { code: SpanStatusCode.ERROR } }]);
  });

  it('takes the context of each subscription, not of the call', () => {
    const parent = tracerProvider.getTracer('spec').startSpan('parent');
    const { operations } = spansOf([ok, ok], (http) => {
      const users$ = context.with(trace.setSpan(context.active(), parent), () => http.get('/users'));
      users$.subscribe();
      context.with(trace.setSpan(context.active(), parent), () => users$.subscribe());
    });
    expect(parentsOf(operations)).toEqual([undefined, parent.spanContext().spanId]);
  });

  it('sends the context of each attempt along', () => {
    const { spans, requests } = spansOf([limited, ok], get('/users'));
    expect(requests.map(({ headers }) => headers.get('traceparent'))).toEqual(
      spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
    );
  });

  it('sends nothing along where it is told so', () => {
    const { requests } = spansOf([ok], get('/users'), { options: { propagate: ({ url }) => !url.startsWith('https://api.test/') } });
    expect(requests[0]?.headers.has('traceparent')).toBe(false);
  });

  it('shows no values of query parameters, unless they are named', () => {
    const { spans } = spansOf([ok], get('/users?token=hunter2&page=2&token=hunter3#hunter4'), { options: { shownParams: ['page'] } });
    expect(spans[0]?.attributes['url.full']).toBe('https://api.test/users?token=REDACTED&page=2');
  });

  it('calls unknown methods by no name of their own', () => {
    const { spans } = spansOf([ok], (http) => void http.request(new HttpRequest('PURGE', '/users')).subscribe());
    expect(spans[0]).toMatchObject({
      name: 'HTTP',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE' },
    });
  });

  it.each<[string, Script, string]>([
    ['a lost connection by its code', ['network ECONNREFUSED'], 'ECONNREFUSED'],
    ['a timeout by its name', ['hang'], 'TimeoutError'],
    ['a body that does not parse by its name', [reply(200, { body: '{' })], 'BodyError'],
    ['a refusal by its status', [404], '404'],
  ])('names %s', (_, script, type) => {
    const { spans } = spansOf(script, get('/users'), { client: { retry: false } });
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ attributes: { 'error.type': type }, status: { code: SpanStatusCode.ERROR } });
  });

  it.each<[string, (http: HttpClient) => void]>([
    [
      'unsubscribing',
      (http) => {
        const subscription = http.get('/users').subscribe();
        timer(1000).subscribe(() => subscription.unsubscribe());
      },
    ],
    ['abort$', (http) => void http.get('/users', { abort$: timer(1000) }).subscribe()],
  ])('ends the span at %s, which is no error', (_, act) => {
    const { spans } = spansOf(['hang'], act);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ status: { code: SpanStatusCode.UNSET }, events: [{ name: 'cancelled' }] });
  });

  it('takes who leaves with the answer for no cancelling', () => {
    const { spans } = spansOf([ok], (http) => void http.get('/users').pipe(take(1)).subscribe());
    expect(spans.map(({ events }) => events)).toEqual([[]]);
  });

  it('traces what goes over real sockets', async () => {
    const { origin, url, requests } = await throttled(1);
    const http = createClient({ ...tracing({ tracerProvider }) });
    await firstValueFrom(http.get(url));
    const spans = finished(SpanKind.CLIENT);
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([429, 200]);
    expect(spans[0]?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': Number(new URL(origin).port) });
    expect(requests.map(({ headers }) => headers.traceparent)).toEqual(
      spans.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
    );
  });
});
