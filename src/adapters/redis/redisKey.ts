import { createHash } from 'node:crypto';

/**
 * Prefix of the keys for `parts`: names, origins and credentials do not appear in Redis. The braces keep keys that belong together on one
 * node of a cluster.
 */
export function redisKey(...parts: readonly string[]): string {
  return `coldfetch:{${createHash('sha256').update(parts.join('\n')).digest('base64url')}}`;
}
