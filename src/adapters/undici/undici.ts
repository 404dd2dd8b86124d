import { defer, mergeMap, throwError } from 'rxjs';
import { checkOptions, type OptionTable, requireThat } from '../../request/checkOptions.js';
import type { Handler } from '../../request/Handler.js';
import { optionBeyond } from '../../transport/optionBeyond.js';
import { transport } from '../../transport/transport.js';
import { dispatchBy } from './dispatchBy.js';
import { type Dispatcher, isDispatcher } from './Dispatcher.js';
import { loadUndici, requireUndici, UNDICI } from './loadUndici.js';

/** Name in messages. */
const PLACE = "undici's dispatcher";

/** Options of {@link undici}. */
export interface UndiciOptions {
  /**
   * Dispatcher of the requests: an `Agent` (`allowH2` for HTTP/2, `connect` for certificates or a unix socket, `connections`), a `Pool`, a
   * `ProxyAgent`, a `MockAgent`, or one with interceptors. By default the global one, which `fetch` uses as well. The option `fetchOptions:
   * { dispatcher }` of a request overrides it.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

const OPTIONS: OptionTable<UndiciOptions> = { rules: { dispatcher: [isDispatcher, 'new Agent() of undici, say'] } };

/**
 * A transport on undici's dispatcher, for the `transport` option of a client: about half of the work of `fetch` for each request. It brings
 * HTTP/2, proxies, client certificates, unix sockets and connection limits, which are options of undici's dispatchers.
 *
 * Events, errors, redirects, abort, timeouts, decoding and the header fields that are sent are those of `fetch`. The timeouts of the dispatcher
 * itself, `headersTimeout` and `bodyTimeout`, are switched off for each request: the client's `timeout` takes their place. What differs:
 *
 * - `fetchOptions` that `fetch` obeys outside of browsers and undici's dispatcher does not, `integrity` and `referrer`, are a UsageError.
 * - URLs are of http and https.
 *
 * @example
 * const http = createClient({ transport: undici({ dispatcher: new Agent({ allowH2: true, connections: 10 }) }) });
 *
 * The package is loaded by the first request, unless a dispatcher is given; one that is missing or does not load on this Node is that request's
 * UsageError, and so is Bun, which has no dispatchers.
 *
 * @throws UsageError for a dispatcher that is none, and for an undici before 6
 */
export function undici(options: UndiciOptions = {}): Handler {
  requireThat(!isDispatcher(options), 'undici', 'the argument', 'a dispatcher', '{ dispatcher } instead');
  checkOptions('undici', options, OPTIONS);
  const { dispatcher } = options;
  requireUndici(UNDICI);
  if (dispatcher) return sendingBy(() => dispatcher);
  let handler: Handler | undefined;
  return (request) => {
    if (handler) return handler(request);
    return defer(() => loadUndici(UNDICI)).pipe(
      mergeMap((globalDispatcher) => {
        handler ??= sendingBy(globalDispatcher);
        return handler(request);
      }),
    );
  };
}

/** A transport by a dispatcher, looked up for each request, unless a request has its own. */
export function sendingBy(dispatcher: () => Dispatcher): Handler {
  const dispatcherOf = (init: RequestInit): Dispatcher => (init as UndiciOptions).dispatcher ?? dispatcher();
  const standIns = transport(undefined, dispatchBy(dispatcherOf, false));
  const responses = transport(undefined, dispatchBy(dispatcherOf, true));
  return (request) => {
    const { integrity, referrer } = request.fetchOptions;
    if (integrity) return throwError(() => optionBeyond(request, 'integrity', integrity, PLACE));
    if (referrer && referrer !== 'about:client') return throwError(() => optionBeyond(request, 'referrer', referrer, PLACE));
    return (request.responseType === 'stream' ? responses : standIns)(request);
  };
}
