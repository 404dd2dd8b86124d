import type express from 'express';
import type { MemoryStore, rateLimit } from 'express-rate-limit';
import type multer from 'multer';
import { installedPackage } from '../../files/installedPackage.js';
import { isMissing, rethrow } from '../../files/isMissing.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** Imports of the optional peers; specs replace them. */
export interface PeerImports {
  readonly express: () => Promise<{ readonly default: typeof express }>;
  readonly rateLimit: () => Promise<{ readonly rateLimit: typeof rateLimit; readonly MemoryStore: typeof MemoryStore }>;
  readonly multer: () => Promise<{ readonly default: typeof multer }>;
}

/** The packages that only the server needs. */
export interface Peers {
  readonly express: typeof express;
  readonly rateLimit: typeof rateLimit;
  readonly MemoryStore: typeof MemoryStore;
  readonly multer: typeof multer;
}

const INSTALLED: PeerImports = {
  express: () => import('express').catch(rethrow),
  rateLimit: () => import('express-rate-limit').catch(rethrow),
  multer: () => import('multer').catch(rethrow),
};

/** The oldest supported version of each peer: major and minor. express-rate-limit 7.5 brought the fields of draft 8. */
const OLDEST: Readonly<Record<string, readonly [number, number]>> = {
  express: [4, 17],
  'express-rate-limit': [7, 5],
  multer: [1, 4],
};

/**
 * Imports Express, express-rate-limit and multer.
 *
 * @throws UsageError that says what to install when one is missing or too old
 */
export async function loadPeers(
  imports: PeerImports = INSTALLED,
  versionOf = (name: string): string | undefined => installedPackage(name)?.version,
): Promise<Peers> {
  try {
    const [web, limiter, forms] = await Promise.all([imports.express(), imports.rateLimit(), imports.multer()]);
    for (const [name, oldest] of Object.entries(OLDEST)) requireVersion(name, oldest, versionOf(name));
    return { express: web.default, rateLimit: limiter.rateLimit, MemoryStore: limiter.MemoryStore, multer: forms.default };
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new UsageError('coldfetch/server needs packages that are not installed: npm install express express-rate-limit multer', {
      cause,
    });
  }
}

/** Checks an installed version; an unreadable one passes. */
function requireVersion(name: string, [major, minor]: readonly [number, number], installed: string | undefined): void {
  const [hasMajor, hasMinor] = (installed ?? '').split('.').map(Number);
  if (hasMajor === undefined || hasMinor === undefined) return;
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  throw new UsageError(
    `coldfetch/server needs ${name} ${major}.${minor} or later, and ${installed} is installed: npm install ${name}@latest`,
  );
}
