import { createClient } from 'coldfetch';
import { ExpectationError, marbles, registerMatchers, reply } from 'coldfetch/testing';
import { renderSvg, timelineRecorder } from 'coldfetch/timeline';
import { lastValueFrom } from 'rxjs';
import { holds, same } from './assert.js';
import type { Check } from './Check.js';

type Matcher = (value: unknown, ...args: unknown[]) => { readonly pass: boolean; readonly message: () => string };

const equals = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const registered: Record<string, Matcher> = {};

/** Stand-in for the `expect` of a test framework, as small as it may be. */
const smallExpect = Object.assign(
  (value: unknown) => {
    const judge =
      (matcher: Matcher) =>
      (...args: unknown[]): void => {
        const { pass, message } = matcher.call({ isNot: false, equals }, value, ...args);
        if (!pass) throw new Error(message());
      };
    return Object.fromEntries(Object.entries(registered).map(([name, matcher]) => [name, judge(matcher)]));
  },
  { extend: (matchers: object) => Object.assign(registered, matchers) },
);

/** Marbles and pictures. */
export const virtualTime: readonly Check[] = [
  {
    name: 'a marble spec plays an hour at once',
    run: async () => {
      registerMatchers(smallExpect);
      const before = performance.now();
      marbles(({ server, http, expect$ }) => {
        server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '60' } }), b: reply(200, { json: [] }) });
        expect$(http.get('/users')).toBeMarbles('5ms 60s 5ms (a|)', { a: [] });
        expect$(server).toHaveRequests('a 60004ms a', { a: 'GET /users' });
      });
      holds(performance.now() - before < 5000, performance.now() - before);
    },
  },
  {
    name: 'a marble spec that fails is drawn',
    run: async () => {
      registerMatchers(smallExpect);
      const failed = (): unknown => {
        try {
          marbles(({ cold, expect$ }) => expect$(cold('2s (a|)')).toBeMarbles('3s (a|)'));
        } catch (error) {
          return error;
        }
        return undefined;
      };
      const error = failed();
      holds(error instanceof ExpectationError && error.message.includes('"a" came at 2s, 1s too early'), error);
    },
  },
  {
    name: 'a run is recorded and drawn',
    run: async (serve) => {
      const { url } = await serve({ status: 503 }, { json: 1 });
      const recorder = timelineRecorder();
      await lastValueFrom(createClient({ baseUrl: url, interceptors: [recorder.interceptor] }).get('/'));
      same(renderSvg(recorder.timeline()).startsWith('<svg'), true);
    },
  },
];
