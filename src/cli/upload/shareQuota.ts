import { connectRedis } from '../../adapters/redis/connectRedis.js';
import type { SharedLimiter } from '../../adapters/redis/quotaLimiter.js';
import { sharedLimiter } from '../../adapters/redis/sharedLimiter.js';
import type { SharedLimiterEvent } from '../../adapters/redis/SharedLimiterEvent.js';
import { isUsageError, UsageError } from '../../request/errors/UsageError.js';
import { type Io, writeLine } from '../Io.js';

/** A share of the quota that all uploads with the same Redis and token have together. */
export interface QuotaShare {
  readonly limiter: SharedLimiter;
  /** Gives back unused permits, and ends the connection. */
  readonly close: () => Promise<void>;
}

/**
 * Shares the quota of a token through the Redis that COLDFETCH_REDIS names.
 *
 * @throws UsageError that names the variable if it holds no such URL; the URL is never repeated
 */
export async function shareQuota(token: string, io: Io): Promise<QuotaShare> {
  const url = io.env.COLDFETCH_REDIS;
  if (!url) throw new UsageError('--redis needs the URL of a Redis: set COLDFETCH_REDIS, such as redis://localhost:6379');
  const connection = await connectRedis(url).catch((cause: unknown) => {
    throw isUsageError(cause) ? new UsageError(`COLDFETCH_REDIS: ${cause.message}`, { cause }) : cause;
  });
  // A hash of the name gets there, never the name itself.
  const limiter = sharedLimiter({ client: connection.client, name: token, notify: (event) => report(event, io) });
  return {
    limiter,
    close: async () => {
      limiter.close();
      await connection.close();
    },
  };
}

/** Reports that the connection fails, without the reason, which may name the host. */
function report({ type, origin }: SharedLimiterEvent, { stderr }: Io): void {
  const line = type === 'local' ? 'Redis does not answer: this upload keeps to its own part' : 'Redis answers again: the quota is shared';
  writeLine(stderr, `${line} (${origin})`);
}
