import type { HttpRequest } from '../../request/HttpRequest.js';
import { originOf, pageUrl } from '../../request/urls.js';
import { optionBeyond } from '../../transport/optionBeyond.js';

/** Values of the options of `fetch` that XMLHttpRequest obeys anyway. */
const AS_IT_DOES: Readonly<Record<string, readonly unknown[]>> = {
  cache: ['default'],
  keepalive: [false],
  mode: ['cors'],
  priority: ['auto'],
  redirect: ['follow'],
  referrer: ['about:client'],
  referrerPolicy: [''],
  integrity: [''],
};

/**
 * Refuses options of `fetch` that XMLHttpRequest cannot obey: it would send something else than was asked for.
 *
 * @throws UsageError that names the option
 */
export function checkFetchOptions(request: HttpRequest): void {
  const { url, fetchOptions } = request;
  const fail = (name: string, value: unknown): never => {
    throw optionBeyond(request, name, value, 'XMLHttpRequest');
  };
  for (const [name, value] of Object.entries(fetchOptions) as [string, unknown][]) {
    if (name !== 'credentials' && value !== undefined && AS_IT_DOES[name]?.includes(value) !== true) fail(name, value);
  }
  // XMLHttpRequest always sends cookies to its own origin.
  if (fetchOptions.credentials === 'omit' && isOwnOrigin(url)) fail('credentials', 'omit');
}

function isOwnOrigin(url: string): boolean {
  const page = pageUrl();
  return page !== undefined && URL.canParse(url, page) && new URL(url, page).origin === originOf(page);
}
