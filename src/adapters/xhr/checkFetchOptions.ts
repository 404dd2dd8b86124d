import { UsageError } from '../../request/errors/UsageError.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { originOf } from '../../request/originOf.js';
import { pageUrl } from '../../request/pageUrl.js';
import { RequestSummary } from '../../request/RequestSummary.js';

/** Values of the options of `fetch` that mean what XMLHttpRequest does anyhow. */
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
 * Refuses options of `fetch` that XMLHttpRequest cannot obey: it would send something else than what was asked for.
 *
 * @throws UsageError that names the option
 */
export function checkFetchOptions({ method, url, headers, fetchOptions }: HttpRequest): void {
  const fail = (name: string, value: unknown): never => {
    const request = new RequestSummary(method, url, headers);
    const problem = `fetchOptions: { ${name}: ${String(value)} } is beyond XMLHttpRequest; send this by a client without transport`;
    throw new UsageError(`${request.toString()}: ${problem}`, { request });
  };
  for (const [name, value] of Object.entries(fetchOptions) as [string, unknown][]) {
    if (name !== 'credentials' && value !== undefined && AS_IT_DOES[name]?.includes(value) !== true) fail(name, value);
  }
  // To its own origin XMLHttpRequest always sends cookies.
  if (fetchOptions.credentials === 'omit' && isOwnOrigin(url)) fail('credentials', 'omit');
}

function isOwnOrigin(url: string): boolean {
  const page = pageUrl();
  return page !== undefined && URL.canParse(url, page) && new URL(url, page).origin === originOf(page);
}
