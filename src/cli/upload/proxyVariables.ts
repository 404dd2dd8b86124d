import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import { noProxyRule } from './noProxyRule.js';

/** Proxies that an environment names, as URLs under the names that Node reads, and the exceptions from them. */
export interface ProxyVariables {
  readonly http_proxy?: string;
  readonly https_proxy?: string;
  /** True if a URL needs no proxy: see {@link noProxyRule}. */
  readonly isExcepted: (url: URL) => boolean;
}

/**
 * Reads the proxy variables as curl does: `http_proxy`, `https_proxy`, for either `all_proxy`, and `no_proxy`, in lower or upper case. A proxy
 * without a scheme is one that speaks HTTP; an empty variable is none.
 *
 * @returns undefined where no proxy is named
 * @throws UsageError that names the variable, never its value: it may hold a password
 */
export function readProxyVariables(env: Io['env']): ProxyVariables | undefined {
  const forHttp = proxyOf(env, ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']);
  const forHttps = proxyOf(env, ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']);
  const exceptions = ['no_proxy', 'NO_PROXY'].map((name) => env[name]).find(Boolean) ?? '';
  if (forHttp === undefined && forHttps === undefined) return undefined;
  return {
    ...(forHttp !== undefined && { http_proxy: forHttp }),
    ...(forHttps !== undefined && { https_proxy: forHttps }),
    isExcepted: noProxyRule(exceptions),
  };
}

/** URL of the proxy that the first of these variables names. */
function proxyOf(env: Io['env'], names: readonly string[]): string | undefined {
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return undefined;
  const value = (env[name] ?? '').trim();
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url)) throw new UsageError(`${name} is not a URL of a proxy; set it to one such as http://proxy.example.com:8080`);
  const { protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) {
    throw new UsageError(
      `${name} names a proxy of the kind ${protocol}//; set it to one that speaks HTTP, such as http://proxy.example.com:8080`,
    );
  }
  return url;
}
