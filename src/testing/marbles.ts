import type { RunHelpers } from 'rxjs/testing';
import type { ClientOptions } from '../client/ClientOptions.js';
import { createClient, defaultPacer } from '../client/createClient.js';
import type { HttpClient } from '../client/HttpClient.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import { checkOptions, isFunction, isNotNegative, type OptionTable } from '../request/checkOptions.js';
import { isObject } from '../request/guards.js';
import type { Interceptor } from '../request/Handler.js';
import { RETRY } from '../operation/RETRY.js';
import { describeValue } from './values/describeValue.js';
import { parseMarbleTime } from './diagrams/marbleTime.js';
import { ExpectationError } from './ExpectationError.js';
import { type FrameworkExpect, requireExpect } from './frameworkExpect.js';
import { MarbleBlock } from './MarbleBlock.js';
import type { MarbleContext } from './MarbleContext.js';
import { messagesOf } from './diagrams/messagesOf.js';
import { parseMarbles } from './diagrams/parseMarbles.js';
import { platformAnswer, type RequestLog } from './scripted/RecordedRequest.js';
import { type ScriptedServer, scriptedServer } from './scripted/scriptedServer.js';
import { misuse, pointingAt, type Site, siteOf } from './site.js';

/** Options of a {@link marbles} block. */
export interface MarbleOptions {
  /** Number that `random` draws, from 0 up to, not including, 1; 0.5 by default. */
  readonly random?: number | (() => number);
  /** Options of `http`. */
  readonly client?: ClientOptions;
}

const OPTIONS: OptionTable<MarbleOptions> = {
  rules: {
    random: [(value) => isFunction(value) || (isNotNegative(value) && value < 1), 'a number from 0 up to, not including, 1, or a function'],
    client: [isObject, 'options of createClient'],
  },
  elsewhere: { retry: 'client: { retry }', pace: 'client: { pace }' },
};

/**
 * Plays a block in virtual time, then compares its expectations: hours pass in no time, nothing sleeps, and no timer library is needed.
 *
 * A block fails when an expectation is not met, and also when it could not have failed: it is async, it expects nothing, or an `expect$`
 * has no matcher. The real clock is back when the block ends, in any case.
 *
 * @example
 * it('waits as long as the server asks', () =>
 *   marbles(({ server, http, expect$ }) => {
 *     server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: [] }) });
 *     expect$(http.get('/users')).toBeMarbles('     5ms 3s 5ms (a|)', { a: [] });
 *     expect$(server).toHaveRequests('a 3004ms a', { a: 'GET /users' });
 *   }));
 */
export function marbles(body: (context: MarbleContext) => void, options: MarbleOptions = {}): void {
  const site = siteOf(marbles);
  // Types guarantee it; a spec in JavaScript, or one that forgot the body, has none.
  if (typeof (body as unknown) !== 'function')
    throw misuse(`marbles got ${describeValue(body)}; give it a function: marbles(({ expect$ }) => { ... })`, site);
  pointingAt(site, () => checkOptions('marbles', options, OPTIONS));
  const expect = pointingAt(site, requireExpect);
  const block = new MarbleBlock(site);
  const server = scriptedServer();
  // A framework without a count does not show whether an expect(...) has been called.
  const assertions = (): number => expect.getState?.().assertionCalls ?? NaN;
  const before = assertions();
  const play: (context: MarbleContext) => unknown = body;
  try {
    block.scheduler.run((helpers) => {
      const context = pointingAt(site, () => contextOf(helpers, block, expect, server, options));
      refuseAsync(play(context), site);
    });
  } finally {
    block.end();
  }
  const failures = [...block.failures(), ...server.problems().map((problem) => block.failure(`The server: ${problem}`))];
  if (!block.expectsSomething && assertions() === before) {
    throw misuse(
      'The marbles block expects nothing, so it can never fail: add expect$(...), or an expect(...), which is the imported or global one',
      site,
    );
  }
  const [first] = failures;
  if (first)
    throw new ExpectationError(
      explained(
        failures.map(({ message }) => message),
        [server, ...block.logs],
      ).join('\n\n'),
      first.site,
    );
}

function contextOf(
  { cold, hot, flush, animate }: RunHelpers,
  block: MarbleBlock,
  expect: FrameworkExpect,
  server: ScriptedServer,
  options: MarbleOptions,
): MarbleContext {
  const random = drawing(options.random ?? 0.5);
  // A request may bring a policy of its own, whose draws would differ from run to run.
  const drawAlike: Interceptor = (request, next) => {
    const policy = request.context.get(RETRY);
    if (policy === undefined || policy === false) return next(request);
    return next(request.clone({ context: request.context.set(RETRY, drawnBy(random, policy)) }));
  };
  const client = (given: ClientOptions = {}): HttpClient =>
    createClient({
      baseUrl: server.url,
      fetch: server.fetch,
      ...given,
      interceptors: [...(given.interceptors ?? []), drawAlike],
      retry: given.retry !== false && drawnBy(random, given.retry),
      pace: paced(given.pace, random),
    });
  const expect$ = (subject: unknown, subscription?: string): never => expect(block.watch(subject, subscription, siteOf(expect$))) as never;
  return {
    cold: playing(block, 'cold', cold),
    hot: playing(block, 'hot', hot),
    flush,
    animate,
    expect$,
    server,
    http: client(options.client),
    client,
    time: (duration) => (duration.includes('|') ? timeBefore(duration) : parseMarbleTime(duration)),
    date: (moment) => new Date(parseMarbleTime(moment)).toUTCString(),
    random,
  };
}

function drawnBy(random: () => number, policy: RetryOptions | number = {}): RetryOptions {
  return { ...(typeof policy === 'number' ? { retries: policy } : policy), random };
}

/** A client's own pacer has to draw from `random` too. */
function paced(pace: ClientOptions['pace'], random: () => number): ClientOptions['pace'] {
  if (pace === undefined) return defaultPacer({ random });
  return pace === false || 'check' in pace ? pace : { limiter: defaultPacer({ random }), ...pace };
}

/** A source that plays its diagram as the kit reads it. */
function playing<F extends RunHelpers['cold'] | RunHelpers['hot']>(block: MarbleBlock, name: 'cold' | 'hot', make: F): F {
  const play = (diagram: string, values?: unknown, error?: unknown): unknown => {
    const site = siteOf(play);
    block.refuseIfOver(name, site);
    const messages = pointingAt(site, () => messagesOf(diagram, values, error, name === 'hot'));
    const source = make<unknown>('');
    source.messages.push(...messages);
    return source;
  };
  return play as F;
}

/**
 * Messages of failures, with the reason for one that explains little: a response of the platform, whose body comes too late for virtual
 * time.
 */
function explained(messages: readonly string[], logs: readonly RequestLog[]): readonly string[] {
  const requests = logs.flatMap((log) => log.requests);
  const explanation = platformAnswer(requests);
  if (explanation !== undefined) return [...messages, explanation];
  // A `fetch` of the spec's own keeps no log. A request that is never answered on purpose has one.
  const timedOut = messages.some((message) => /TimeoutError: .* no progress for/.test(message));
  if (!timedOut || requests.some(({ answeredAt }) => answeredAt === undefined)) return messages;
  return [
    ...messages,
    'In virtual time no promise settles, and the body of a Response of the platform never comes, so that a request times out: answer with reply(...)',
  ];
}

function refuseAsync(result: unknown, site: Site): void {
  if (typeof result !== 'object' || result === null || !('then' in result)) return;
  // The rejection that follows, once the promise finds the block over, is not another failure.
  Promise.resolve(result).catch(() => undefined);
  throw misuse(
    'The body of marbles is async: virtual time does not wait for promises, and what it expects after an await would never be compared',
    site,
  );
}

function timeBefore(diagram: string): number {
  return parseMarbles(diagram).at(-1)?.frame ?? 0;
}

function drawing(random: number | (() => number)): () => number {
  return typeof random === 'function' ? random : () => random;
}
