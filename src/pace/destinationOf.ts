import { originOf } from '../request/originOf.js';
import type { Ask } from './Limiter.js';

/** An origin in its normal form, at the beginning of a URL: what parsing would give. */
const PLAIN = /^https?:\/\/[a-z\d.-]+(?::(?!80\b|443\b)\d+)?(?=[/?#]|$)/;

/** Origin of an ask's URL; `''` for paths and where it names none. Other text stands for itself. */
export function destinationOf({ url = '' }: Ask): string {
  return PLAIN.exec(url)?.[0] ?? originOf(url) ?? (url.startsWith('/') ? '' : url);
}
