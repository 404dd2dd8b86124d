import { isHttpUrl, pageUrl } from '../request/urls.js';
import { UsageError } from '../request/errors/UsageError.js';
import { withoutSecrets } from '../request/withoutSecrets.js';

/**
 * The base URL of a client in full. A relative one belongs to the page or worker, else to `origin`.
 *
 * @throws UsageError for what is no base URL: another scheme, credentials, a relative one where nothing says what it is relative to
 */
export function absoluteBase(given: string | URL, origin: string | URL | undefined): string {
  const text = String(given);
  const fail = (problem: string, remedy: string): UsageError => new UsageError(`baseUrl is ${problem}; give ${remedy}`);
  if (text === '') throw fail('empty', "an absolute URL, or '/' for the origin of the page");
  const place = [pageUrl(), origin?.toString()].find((each) => URL.canParse(text, each));
  const url = URL.canParse(text, place) ? new URL(text, place) : undefined;
  if (url === undefined) {
    throw fail(
      `${withoutSecrets(text)}, ${pageUrl() === undefined ? 'and no page is here' : 'and the URL of this page or worker is none'} that it could be relative to`,
      'an absolute URL, or the option origin',
    );
  }
  if (!isHttpUrl(url.href)) throw fail(withoutSecrets(text), 'an absolute http or https URL, or a path');
  if (url.username || url.password) throw new UsageError('baseUrl carries a user name or password; send an authorization header');
  return url.href;
}
