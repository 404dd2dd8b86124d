import http from 'node:http';
import { UsageError } from '../../request/errors/UsageError.js';
import type { FetchLike } from '../../request/FetchLike.js';
import type { Io } from '../Io.js';
import { type ProxyVariables, readProxyVariables } from './proxyVariables.js';

/** The part of the package undici that is needed. */
export interface Undici {
  readonly Agent: new () => Dispatcher;
  /** Missing before 6.14. */
  readonly EnvHttpProxyAgent?: (new (options: ProxyAgentOptions) => Dispatcher) | undefined;
  readonly fetch: (input: never, init: never) => Promise<unknown>;
}

/** The part of a dispatcher that `fetch` asks for. */
interface Dispatcher {
  readonly dispatch: (options: { readonly origin: string | URL }, handler: object) => boolean;
}

interface ProxyAgentOptions {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

type SetProxy = (env: Omit<ProxyVariables, 'isExcepted'> & { readonly no_proxy: string }) => void;

/**
 * A `fetch` that goes through the proxy that the environment names, but for URLs that need none (see {@link readProxyVariables}); undefined
 * where no proxy is named, or where Node was told at its start to use it.
 *
 * Node can use a proxy in a running process (24.14, 25.4), or from its start where NODE_USE_ENV_PROXY=1 asks for it (22.21, 24.5); before that the
 * package undici does.
 *
 * @throws UsageError for a variable that names no proxy, and one that says what to install where nothing here can use the proxy
 */
export async function proxyFetch(env: Io['env'], load: () => Promise<Undici> = loadUndici): Promise<FetchLike | undefined> {
  const proxies = readProxyVariables(env);
  if (proxies === undefined) return undefined;
  const { setGlobalProxyFromEnv } = http as { readonly setGlobalProxyFromEnv?: SetProxy };
  if (setGlobalProxyFromEnv) return platformProxyFetch(proxies, setGlobalProxyFromEnv);
  if (env.NODE_USE_ENV_PROXY === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return undefined;
  return undiciProxyFetch(proxies, await load().catch((cause: unknown) => Promise.reject(needsUndici('npm install undici', cause))));
}

/** The platform's `fetch`, told which hosts are excepted as requests meet them: Node itself reads no ranges of addresses. */
function platformProxyFetch({ isExcepted, ...proxies }: ProxyVariables, setProxy: SetProxy): FetchLike {
  const excepted = new Set<string>();
  const tell = (): void => setProxy({ ...proxies, no_proxy: [...excepted].join(',') });
  tell();
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isExcepted(url) && !excepted.has(url.host)) {
      excepted.add(url.host);
      tell();
    }
    return fetch(input, init);
  };
}

function undiciProxyFetch({ http_proxy, https_proxy, isExcepted }: ProxyVariables, { Agent, EnvHttpProxyAgent, fetch }: Undici): FetchLike {
  if (EnvHttpProxyAgent === undefined) throw needsUndici('npm install undici@latest (6.14 or later)');
  const direct = new Agent();
  const proxied = new EnvHttpProxyAgent({ httpProxy: http_proxy, httpsProxy: https_proxy, noProxy: '' });
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => (isExcepted(new URL(options.origin)) ? direct : proxied).dispatch(options, handler),
  };
  return (input, init) => fetch(input as never, { ...init, dispatcher } as never) as Promise<Response>;
}

function needsUndici(remedy: string, cause?: unknown): UsageError {
  return new UsageError(`The environment names a proxy, which this Node cannot use by itself: ${remedy}, or use Node 24.14 or later`, {
    cause,
  });
}

function loadUndici(): Promise<Undici> {
  return import('undici') as Promise<unknown> as Promise<Undici>;
}
