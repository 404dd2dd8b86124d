import { originOf } from '../request/originOf.js';
import type { Ask } from './Limiter.js';

/** What an ask is about: the origin of its URL. What is no absolute URL stands for itself, so `''` where it names none. */
export function destinationOf({ url = '' }: Ask): string {
  return originOf(url) ?? url;
}
