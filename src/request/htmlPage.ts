import { printable } from './printable.js';

/** Characters of a text in which a page begins and has its title, and of the title that are shown. */
const [HEAD_LENGTH, TITLE_LENGTH] = [10_000, 80];

/**
 * Name of an HTML page, for the message of an error: a login page or a proxy often answers in place of an API, with a 200.
 *
 *     htmlPage('<!doctype html><title>Sign in</title>')   an HTML page ("Sign in")
 *
 * @returns undefined for a text that is no HTML
 */
export function htmlPage(text: string): string | undefined {
  const head = text.slice(0, HEAD_LENGTH).replace(/<!--.*?-->/gs, '');
  if (!/^\s*<(!doctype\s+html|html|head|body)\b/i.test(head)) return undefined;
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim();
  return title ? `an HTML page ("${printable(title, TITLE_LENGTH)}")` : 'an HTML page';
}
