import { type Observable, throwError } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { openExchange } from './openExchange.js';
import type { RecordedRequest, RequestLog } from './RecordedRequest.js';
import { type ReplyValues, parseScript, type Script, type ScriptStep } from './script.js';

/** A server that answers each route as its script says. */
export interface ScriptedServer extends RequestLog {
  /** Origin of the server. It answers for every origin; this is the one that `http` sends to. */
  readonly url: string;
  /** A `fetch` that reaches the server. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Observable<Response>;
  /**
   * Answers to the requests of a route, in their order. A second call for the same route appends.
   *
   * @param route a method and a path, `'GET /users'`; `*` in the path stands for anything, `*` as the method for any. With a query the query
   * has to be the same, with an origin the origin too.
   * @example
   * server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: [] }) });
   * server.on('PUT /files/*', [503, 'network', 'hang', 200]);
   */
  on(route: string, script: Script, values?: ReplyValues): ScriptedServer;
  /** Scripted answers that no request asked for, requests without a scripted answer, and functions that failed: one sentence each. */
  problems(): readonly string[];
}

interface Route {
  readonly name: string;
  readonly matches: (request: RecordedRequest) => boolean;
  readonly steps: ScriptStep[];
}

const ORIGIN = 'https://api.test';

/** A {@link ScriptedServer} without routes. */
export function scriptedServer(): ScriptedServer {
  const routes: Route[] = [];
  const requests: RecordedRequest[] = [];
  const mistakes: string[] = [];
  const fetch = (input: string | URL | Request, init: RequestInit = {}): Observable<Response> => {
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    if (signal?.aborted) return throwError(() => signal.reason as unknown);
    const { request, answer } = openExchange(input, init, (mistake) => mistakes.push(mistake));
    requests.push(request);
    const matching = routes.filter(({ matches }) => matches(request));
    const step = matching.find(({ steps }) => steps.length > 0)?.steps.shift();
    if (step) return answer(step);
    const problem = `${request.method} ${request.url} at ${request.at} ms: ${whyUnanswered(matching, routes)}`;
    mistakes.push(problem);
    return throwError(() => new UsageError(problem));
  };
  const server: ScriptedServer = {
    url: ORIGIN,
    requests,
    fetch,
    on: (route, script, values) => {
      const steps = parseScript(script, values);
      const known = routes.find(({ name }) => name === route);
      if (known) known.steps.push(...steps);
      else routes.push({ name: route, matches: parseRoute(route), steps });
      return server;
    },
    problems: () => [...mistakes, ...routes.flatMap(({ name, steps }) => (steps.length > 0 ? [`${name}: ${unasked(steps.length)}`] : []))],
  };
  return server;
}

function unasked(count: number): string {
  return count === 1 ? 'a scripted answer was not asked for' : `${count} scripted answers were not asked for`;
}

function whyUnanswered(matching: readonly Route[], routes: readonly Route[]): string {
  if (matching.length > 0) return `the script of ${matching.map(({ name }) => name).join(', ')} is used up`;
  return routes.length > 0
    ? `the server has no such route, but ${routes.map(({ name }) => name).join(', ')}`
    : 'the server has no routes: give it some by server.on(...)';
}

function parseRoute(route: string): (request: RecordedRequest) => boolean {
  const [, method = '', target = ''] = /^(\S+) (\S+)$/.exec(route) ?? [];
  if (!/^([A-Z]+|\*)$/.test(method) || !/^(\/|\*|https?:)/.test(target)) {
    throw new UsageError(`'${route}' is not a route: write a method and a path, as in 'GET /users', 'PUT /files/*' or '* /any'`);
  }
  const pattern = new RegExp(`^${target.split('*').map(escape).join('.*')}$`);
  return (request) => (method === '*' || method === request.method) && pattern.test(reduceUrl(request.url, target));
}

/** The part of a URL that a route names. */
function reduceUrl(text: string, target: string): string {
  if (!URL.canParse(text, ORIGIN)) return text;
  const url = new URL(text, ORIGIN);
  return `${target.startsWith('http') ? url.origin : ''}${url.pathname}${target.includes('?') ? url.search : ''}`;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
