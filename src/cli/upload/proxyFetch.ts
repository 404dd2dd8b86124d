import http from 'node:http';
import { UsageError } from '../../request/errors/UsageError.js';
import type { FetchLike } from '../../request/FetchLike.js';
import type { Io } from '../Io.js';
import { type ProxyVariables, readProxyVariables } from './proxyVariables.js';

/** The part of the package undici that is needed. */
export interface Undici {
  /** Missing before 6.14. */
  readonly EnvHttpProxyAgent?: (new (options: ProxyAgentOptions) => object) | undefined;
  readonly fetch: (input: never, init: never) => Promise<unknown>;
}

interface ProxyAgentOptions {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

/**
 * A `fetch` that goes through the proxy that the environment names (see {@link readProxyVariables}); undefined where none is named, or where
 * the platform's own `fetch` does it.
 *
 * Node does it in a running process (24.14, 25.4), or from its start when NODE_USE_ENV_PROXY=1 asks for it (22.21, 24.5); before that the
 * package undici does.
 *
 * @throws UsageError for a variable that names no proxy, and one that says what to install where nothing here can use the proxy
 */
export async function proxyFetch(env: Io['env'], load: () => Promise<Undici> = loadUndici): Promise<FetchLike | undefined> {
  const proxies = readProxyVariables(env);
  if (proxies === undefined) return undefined;
  const { setGlobalProxyFromEnv } = http as { readonly setGlobalProxyFromEnv?: (env: ProxyVariables) => void };
  if (setGlobalProxyFromEnv) {
    setGlobalProxyFromEnv(proxies);
    return undefined;
  }
  if (env.NODE_USE_ENV_PROXY === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return undefined;
  const { EnvHttpProxyAgent, fetch } = await load().catch((cause: unknown) => {
    throw needsUndici('npm install undici', cause);
  });
  if (EnvHttpProxyAgent === undefined) throw needsUndici('npm install undici@latest (6.14 or later)');
  const { http_proxy: httpProxy, https_proxy: httpsProxy, no_proxy: noProxy } = proxies;
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy });
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
