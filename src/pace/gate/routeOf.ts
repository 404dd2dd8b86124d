/** A segment that names one thing among many: a number, a UUID, a hash, a file with a number, an e-mail address. */
const ID = /^\d|\d.*\d|[@%]|^.{33,}$/;
/** A version of an API: `v2`, `v1.1`, `2024-01-01`. */
const VERSION = /^v\d+([._]\d+)*$|^\d{4}-\d{2}(-\d{2})?$/i;

/**
 * Route of a URL: its path up to the first segment that looks like an id, so that the requests for things of one kind are of one route.
 *
 *     https://api.example.com/v2/builds/123/images?page=2     /v2/builds
 *
 * @param url an absolute URL, or a path
 */
export function routeOf(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const segments = path.split('/').filter((segment) => segment !== '');
  const id = segments.findIndex((segment) => ID.test(segment) && !VERSION.test(segment));
  return `/${segments.slice(0, id < 0 ? segments.length : id).join('/')}`;
}
