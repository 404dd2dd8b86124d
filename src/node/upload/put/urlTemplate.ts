import { isHttpUrl } from '../../../request/urls.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { UploadFile } from '../../UploadTarget.js';

/** URL of each file, made of one text. */
export interface UrlTemplate {
  readonly urlOf: (file: Pick<UploadFile, 'name' | 'key'>) => string;
  /** The part before the first placeholder that ends in `/`, without query. */
  readonly base: string;
}

const EXAMPLE = 'give one such as https://files.example.com/shots/{name}';

/**
 * Reads a URL with placeholders: `{name}` stands for a file's name, its segments percent-encoded, `{key}` for the SHA-256 of its bytes, hex. A URL
 * without one that ends in `/` is a folder: the name is added to it.
 *
 * @throws UsageError for a text that is no URL of the web, holds a password, has a placeholder in its host or an unknown one, or gives all files one URL
 */
export function urlTemplate(template: string): UrlTemplate {
  const [unknown] = /\{(?!(?:name|key)\})[^}]*\}?/.exec(template) ?? [];
  if (unknown !== undefined) throw new UsageError(`The URL has the placeholder ${unknown}; there are {name} and {key}`);
  if (!isHttpUrl(expand(template, 'x', 'x')) || !/^https?:\/\/[^/?#{]+([/?#]|$)/i.test(template)) {
    throw new UsageError(`The target is not an http or https URL whose host is fixed; ${EXAMPLE}`);
  }
  const { username, password } = new URL(expand(template, 'x', 'x'));
  if (username !== '' || password !== '')
    throw new UsageError('The URL holds a user name or password, which is not sent; send an authorization header instead');
  const whole = /\{(?:name|key)\}/.test(template) ? template : folder(template);
  return {
    urlOf: ({ name, key }) => expand(whole, encoded(name), key),
    base: whole
      .replace(/[?#].*$/s, '')
      .replace(/\{.*$/s, '')
      .replace(/[^/]*$/, ''),
  };
}

function folder(template: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(template) ?? [];
  if (!path.endsWith('/')) throw new UsageError(`The URL has no placeholder, so that every file would go to the same place; ${EXAMPLE}`);
  return `${path}{name}${rest}`;
}

function expand(template: string, name: string, key: string): string {
  return template.replace(/\{(name|key)\}/g, (_, placeholder) => (placeholder === 'name' ? name : key));
}

function encoded(name: string): string {
  const segments = name.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..' || segment === ''))
    throw new UsageError(`The name ${name} would lead out of its folder in a URL; rename the file`);
  return segments.map(encodeURIComponent).join('/');
}
