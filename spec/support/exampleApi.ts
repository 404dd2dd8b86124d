import { Agent, type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

/** Answers of `https://api.example.com` in the snippets of the README and of the guides; any other request gets a 404. */
const ANSWERS: Readonly<Record<string, (request: Request) => Response>> = {
  'GET /users/1': () => Response.json({ id: 1, name: 'Ada' }),
  'GET /users/2': () => Response.json({ id: 2, name: 'Grace' }),
  'GET /users/3': () => Response.json({ id: 3, name: 'Joan' }),
  'POST /users': () => Response.json({ id: 4, name: 'Ada' }, { status: 201 }),
  'GET /users': ({ url }) =>
    new URL(url).searchParams.has('cursor')
      ? Response.json({ users: [{ id: 3 }, { id: 4 }] })
      : Response.json({ users: [{ id: 1 }, { id: 2 }], next: 'page-2' }),
  'GET /report': () => new Response('all is well'),
  'GET /reports/daily': () => Response.json({ day: 1 }),
  'GET /issues': ({ url }) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    const link: Record<string, string> = page === 1 ? { link: '</issues?page=2>; rel="next"' } : {};
    return Response.json(page > 2 ? [] : [{ title: page === 1 ? 'one' : 'two' }], { headers: link });
  },
  'GET /export': () => new Response('{"id":1}\n{"id":2}\n', { headers: { 'content-type': 'application/x-ndjson' } }),
  'GET /events': ({ headers }) =>
    headers.has('last-event-id')
      ? new Response(null, { status: 204 })
      : new Response('id: 1\ndata: hello\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  'GET /busy': () => new Response('later', { status: 429, headers: { 'retry-after': '60' } }),
  'GET /big': () => new Response(new Uint8Array(100_000)),
  'GET /me': ({ headers }) =>
    headers.get('authorization') === 'Bearer fresh' ? Response.json({ name: 'Ada' }) : Response.json({ error: 'expired' }, { status: 401 }),
  'GET /prices': () => new Response('data: {"price":5}\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  'POST /chat': () =>
    new Response('data: {"text":"Hello, "}\n\ndata: {"text":"you"}\n\ndata: [DONE]\n\n', {
      headers: { 'content-type': 'text/event-stream' },
    }),
  'POST /photos': () => Response.json({ id: 7 }, { status: 201 }),
  'POST /payments': ({ headers }) =>
    headers.has('idempotency-key') ? Response.json({ paid: true }) : Response.json({ error: 'no key' }, { status: 400 }),
};

function answerTo(request: Request): Response {
  const answer = ANSWERS[`${request.method} ${new URL(request.url).pathname}`];
  return answer ? answer(request) : Response.json({ error: 'not found' }, { status: 404 });
}

/** Has `fetch` and the dispatchers of undici answer for that API; loopback stays real. Returns a function that restores those of the platform. */
export function mockExampleApi(): () => void {
  const platform = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    if (isLoopback(request.url)) return platform(input, init);
    request.signal.throwIfAborted();
    return Promise.resolve(answerTo(request));
  };
  const global = getGlobalDispatcher();
  const agents = Object.getPrototypeOf(Agent.prototype) as Agent;
  const dispatch = agents.dispatch;
  agents.dispatch = function (this: Agent, options, handler) {
    const origin = String(options.origin);
    return isLoopback(origin) ? dispatch.call(this, options, handler) : dispatchTo(new URL(options.path, origin), options, handler);
  };
  setGlobalDispatcher(new Agent());
  return () => {
    globalThis.fetch = platform;
    agents.dispatch = dispatch;
    setGlobalDispatcher(global);
  };
}

function dispatchTo(url: URL, { method }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
  const nothing = (): void => undefined;
  const controller = { aborted: false, paused: false, reason: null, abort: nothing, pause: nothing, resume: nothing };
  const answer = answerTo(new Request(url, { method }));
  handler.onRequestStart?.(controller, {});
  void answer.arrayBuffer().then((bytes) => {
    handler.onResponseStart?.(controller, answer.status, Object.fromEntries(answer.headers), '');
    handler.onResponseData?.(controller, Buffer.from(bytes));
    handler.onResponseEnd?.(controller, {});
  });
  return true;
}

function isLoopback(url: string): boolean {
  return new URL(url).hostname === '127.0.0.1';
}
