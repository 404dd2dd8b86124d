import type { Ask } from './Limiter.js';

/** The origin that an ask is about; `''` if it names none. */
export function originOf({ url = '' }: Ask): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
