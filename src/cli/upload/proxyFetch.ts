import http from 'node:http';
import { UsageError } from '../../request/errors/UsageError.js';
import type { FetchLike } from '../../request/FetchLike.js';
import type { Io } from '../Io.js';

/** What of the package undici is needed. */
export interface Undici {
  readonly EnvHttpProxyAgent: new () => object;
  readonly fetch: (input: never, init: never) => Promise<unknown>;
}

const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/**
 * A `fetch` that goes through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, but for the hosts in `NO_PROXY`); undefined
 * where none is named, or the platform's own `fetch` does it.
 *
 * Node reads these variables itself when asked to by NODE_USE_ENV_PROXY=1 (22.21, 24.5), or in a running process (24.14, 25.4); before that
 * the package undici does it.
 *
 * @throws UsageError that says what to install where a proxy is named and nothing here can use it
 */
export async function proxyFetch(env: Io['env'], load: () => Promise<Undici> = loadUndici): Promise<FetchLike | undefined> {
  if (!VARIABLES.some((name) => env[name])) return undefined;
  if (env.NODE_USE_ENV_PROXY === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return undefined;
  const { setGlobalProxyFromEnv } = http as { readonly setGlobalProxyFromEnv?: () => void };
  if (setGlobalProxyFromEnv) {
    setGlobalProxyFromEnv();
    return undefined;
  }
  const undici = await load().catch((cause: unknown) => {
    throw new UsageError(
      'The environment names a proxy, which this Node cannot use by itself: npm install undici, or use Node 24.14 or later',
      {
        cause,
      },
    );
  });
  const dispatcher = new undici.EnvHttpProxyAgent();
  return (input, init) => undici.fetch(input as never, { ...init, dispatcher } as never) as Promise<Response>;
}

function loadUndici(): Promise<Undici> {
  return import('undici') as Promise<unknown> as Promise<Undici>;
}
