import type { Observable } from 'rxjs';
import { asFetch, coldFetch, type ColdFetchInit, type ColdFetchSelectorInit, createClient } from 'coldfetch';
import { undici } from 'coldfetch/undici';
import { getGlobalDispatcher } from 'undici';
import { dispatchBy } from '../../src/adapters/undici/dispatchBy.js';
import { TIMEOUT } from '../../src/request/defaults.js';
import { exchange } from '../../src/transport/exchange.js';
import { takeUntilAborted } from '../../src/transport/takeUntilAborted.js';

/** The ways to send that a specification is played in. */
export interface Ways {
  readonly coldFetch: typeof coldFetch;
  readonly asFetch: typeof asFetch;
  readonly createClient: typeof createClient;
}

/** `coldFetch` by undici's dispatcher, but for the calls that bring a `fetch`. */
function coldDispatch(
  input: string | URL | Request,
  given: (ColdFetchInit & Partial<ColdFetchSelectorInit<unknown>>) | null = {},
): Observable<unknown> {
  const { fetch, timeout = TIMEOUT, abort$, body, selector, signal: own, ...init } = given ?? {};
  if (fetch) return coldFetch(input, given);
  const signal = own ?? (input instanceof Request ? input.signal : undefined);
  const dispatch = dispatchBy(() => getGlobalDispatcher(), true);
  const call = { input, init, body: body ?? undefined, signal, abort$, timeout, fetch, dispatch };
  return exchange(call, (_, { guard }) => (selector ? selector(guard()) : [guard()])).pipe(takeUntilAborted({ signal, abort$ }));
}

/** Requests sent by `fetch` and by undici's dispatcher, with the same meaning. */
export const transports: readonly (readonly [name: string, ways: Ways])[] = [
  ['fetch', { coldFetch, asFetch, createClient }],
  [
    'undici',
    {
      coldFetch: coldDispatch as typeof coldFetch,
      asFetch: (options) => asFetch(options?.fetch ? options : { transport: undici(), ...options }),
      createClient: (options) => createClient(options?.fetch ? options : { transport: undici(), ...options }),
    },
  ],
];
