import type express from 'express';
import type { MemoryStore, rateLimit } from 'express-rate-limit';
import type multer from 'multer';
import { codeOf } from '../request/codeOf.js';
import { UsageError } from '../request/errors/UsageError.js';

/** How each optional peer is imported; specs replace them. */
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
  express: () => import('express'),
  rateLimit: () => import('express-rate-limit'),
  multer: () => import('multer'),
};

/** Imports Express, express-rate-limit and multer. @throws UsageError that says what to install when one is missing */
export async function loadPeers(imports: PeerImports = INSTALLED): Promise<Peers> {
  try {
    const [web, limiter, forms] = await Promise.all([imports.express(), imports.rateLimit(), imports.multer()]);
    return { express: web.default, rateLimit: limiter.rateLimit, MemoryStore: limiter.MemoryStore, multer: forms.default };
  } catch (cause) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(codeOf(cause) ?? '')) throw cause;
    throw new UsageError('coldfetch/server needs packages that are not installed: npm install express express-rate-limit multer', {
      cause,
    });
  }
}
