import { originOf } from '../request/originOf.js';
import type { Ask } from './Limiter.js';

/** Origins that have been asked about, as they are written: clients ask by these, of each several times, and URLs are slow to parse. */
const known = new Set<string>();
const MOST_KNOWN = 1024;

/** What an ask is about: the origin of its URL. What is no absolute URL stands for itself, so `''` where it names none. */
export function destinationOf({ url = '' }: Ask): string {
  if (known.has(url)) return url;
  const origin = originOf(url) ?? url;
  if (known.size === MOST_KNOWN) known.clear();
  if (origin === url) known.add(origin);
  return origin;
}
