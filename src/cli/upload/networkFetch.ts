import http from 'node:http';
import tls from 'node:tls';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../request/errors/UsageError.js';
import type { FetchLike } from '../../request/FetchLike.js';
import type { Io } from '../Io.js';
import { type ProxyVariables, readProxyVariables } from './proxyVariables.js';
import { type Authorities, readAuthorities } from './readAuthorities.js';
import type { Sourced } from './settings/Setting.js';

/** The part of the package undici that is needed. */
export interface Undici {
  readonly Agent: new (options: { readonly connect?: TlsOptions }) => Dispatcher;
  /** Property that is missing before 6.14. */
  readonly EnvHttpProxyAgent?: (new (options: ProxyAgentOptions) => Dispatcher) | undefined;
  readonly fetch: (input: never, init: never) => Promise<unknown>;
}

/** The part of a dispatcher that `fetch` asks for. */
interface Dispatcher {
  readonly dispatch: (options: { readonly origin: string | URL }, handler: object) => boolean;
}

/** Options of TLS connections; without `ca` the authorities are those of Node. */
interface TlsOptions {
  readonly ca?: readonly string[];
}

interface ProxyAgentOptions {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
  /** Options of connections to a proxy, and through it. */
  readonly proxyTls?: TlsOptions;
  readonly requestTls?: TlsOptions;
}

type SetProxy = (env: Omit<ProxyVariables, 'isExcepted'> & { readonly no_proxy: string }) => void;

/** Authorities of a running process (22.19, 24.5): functions that read and set them. */
interface DefaultAuthorities {
  readonly getCACertificates?: (type: 'default' | 'extra') => string[];
  readonly setDefaultCACertificates?: (certificates: readonly string[]) => void;
}

/** Surroundings of a network. */
export interface NetworkOptions extends Pick<Io, 'env' | 'cwd'> {
  /** PEM file of certificate authorities, and its place. */
  readonly ca?: Sourced<string> | undefined;
  /** Loads the package undici. */
  readonly load?: () => Promise<Undici>;
}

/**
 * A `fetch` for the network of a command: it goes through the proxy that the environment names, except for URLs that need none (see {@link
 * readProxyVariables}), and trusts the named certificate authorities (see {@link readAuthorities}). Undefined where the platform's own
 * `fetch` does that by now.
 *
 * Node can use a proxy in a running process (24.14, 25.4), or from its start where NODE_USE_ENV_PROXY=1 asks for it (22.21, 24.5), and
 * trust further authorities in a running process (22.19, 24.5), for all of its connections then; before that the package undici does.
 *
 * @throws UsageError for a variable that names no proxy, for a file without authorities, and one that says what to install where this Node
 * supports neither
 */
export async function networkFetch({ env, cwd, ca, load = loadUndici }: NetworkOptions): Promise<FetchLike | undefined> {
  const proxies = readProxyVariables(env);
  const authorities = await readAuthorities(ca, { env, cwd });
  const isTrusting = authorities === undefined || trust(authorities);
  if (proxies === undefined && isTrusting) return undefined;
  if (proxies !== undefined && isTrusting) {
    const { setGlobalProxyFromEnv } = http as { readonly setGlobalProxyFromEnv?: SetProxy };
    if (setGlobalProxyFromEnv) return platformProxyFetch(proxies, setGlobalProxyFromEnv);
    if (env.NODE_USE_ENV_PROXY === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) return undefined;
  }
  const tlsOptions = isTrusting ? {} : { ca: await allAuthorities(authorities, { env, cwd }) };
  const remedy = isTrusting ? PROXY_REMEDY : AUTHORITY_REMEDY;
  const undici = await load().catch((cause: unknown) => {
    throw new UsageError(`${remedy.problem}: npm install undici, or ${remedy.otherwise}`, { cause });
  });
  return undiciFetch(undici, proxies, tlsOptions);
}

const PROXY_REMEDY = {
  problem: 'The environment names a proxy, which this Node cannot use by itself',
  otherwise: 'use Node 24.14 or later',
};
const AUTHORITY_REMEDY = {
  problem: 'This Node takes no further certificate authorities while it runs',
  otherwise: 'use Node 22.19 or later, or name the file in NODE_EXTRA_CA_CERTS',
};

/** Lets this process trust authorities; false where this Node cannot. */
function trust({ certificates, isWhole }: Authorities): boolean {
  const { getCACertificates, setDefaultCACertificates } = tls as DefaultAuthorities;
  if (!getCACertificates || !setDefaultCACertificates) return false;
  setDefaultCACertificates([...getCACertificates(isWhole ? 'extra' : 'default'), ...certificates]);
  return true;
}

/**
 * All trusted authorities, for connections that get a list of their own: Node does not add its own and those of NODE_EXTRA_CA_CERTS to such
 * a list.
 */
async function allAuthorities({ certificates, isWhole }: Authorities, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<readonly string[]> {
  const { NODE_EXTRA_CA_CERTS: extra } = env;
  // Node has warned of a file that cannot be read, and goes on without it.
  const further = extra ? await readFile(resolve(cwd, extra), 'utf8').catch(() => undefined) : undefined;
  return [...(isWhole ? [] : tls.rootCertificates), ...(further === undefined ? [] : [further]), ...certificates];
}

/** The platform's `fetch`, with excepted hosts added as requests meet them: Node itself reads no ranges of addresses. */
function platformProxyFetch({ isExcepted, ...proxies }: ProxyVariables, setProxy: SetProxy): FetchLike {
  const excepted = new Set<string>();
  const applyProxies = (): void => setProxy({ ...proxies, no_proxy: [...excepted].join(',') });
  applyProxies();
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isExcepted(url) && !excepted.has(url.host)) {
      excepted.add(url.host);
      applyProxies();
    }
    return fetch(input, init);
  };
}

function undiciFetch({ Agent, EnvHttpProxyAgent, fetch }: Undici, proxies: ProxyVariables | undefined, connect: TlsOptions): FetchLike {
  const direct = new Agent({ connect });
  const dispatcher = proxies === undefined ? direct : proxyDispatcher(direct, EnvHttpProxyAgent, proxies, connect);
  return (input, init) => fetch(input as never, { ...init, dispatcher } as never) as Promise<Response>;
}

/** Dispatcher that sends all but excepted requests through the proxy. */
function proxyDispatcher(
  direct: Dispatcher,
  EnvHttpProxyAgent: Undici['EnvHttpProxyAgent'],
  { http_proxy, https_proxy, isExcepted }: ProxyVariables,
  connect: TlsOptions,
): Dispatcher {
  if (EnvHttpProxyAgent === undefined) {
    throw new UsageError(`${PROXY_REMEDY.problem}: npm install undici@latest (6.14 or later), or ${PROXY_REMEDY.otherwise}`);
  }
  const proxied = new EnvHttpProxyAgent({
    httpProxy: http_proxy,
    httpsProxy: https_proxy,
    noProxy: '',
    proxyTls: connect,
    requestTls: connect,
  });
  return {
    dispatch: (options, handler) => (isExcepted(new URL(options.origin)) ? direct : proxied).dispatch(options, handler),
  };
}

function loadUndici(): Promise<Undici> {
  return import('undici') as Promise<unknown> as Promise<Undici>;
}
