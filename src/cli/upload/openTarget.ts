import type { HttpClient } from '../../client/HttpClient.js';
import { BUILD_API, buildClient } from '../../node/buildClient.js';
import { uploadPolicy } from '../../node/uploadPolicy.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicy } from '../../retry/RetryPolicy.js';
import { startServer } from '../../server/startServer.js';
import type { Io } from '../Io.js';
import { openNetwork } from './openNetwork.js';
import { findToken } from './findToken.js';
import type { Sourced } from './settings/Setting.js';
import { shareQuota } from './shareQuota.js';

/** Options for the destination of an upload. */
export interface TargetOptions {
  readonly api?: Sourced<string> | undefined;
  readonly token?: string | undefined;
  /** Milliseconds without progress after which an attempt fails; those of the policy by default. */
  readonly timeout?: Sourced<number> | undefined;
  /** PEM file of certificate authorities that are trusted, too. */
  readonly ca?: Sourced<string> | undefined;
  readonly embedded?: boolean | undefined;
  /** Share the quota with other uploads, through the Redis that COLDFETCH_REDIS names. */
  readonly redis?: boolean | undefined;
}

/** Target of an upload. */
export interface Target {
  readonly http: HttpClient;
  /** Policy of its requests. */
  readonly retry: RetryPolicy;
  /** Stops everything that was started for the target. */
  readonly close: () => Promise<void>;
}

/**
 * A limit that an upload of some dozen files meets more than once, and still finishes within half a minute. It is not announced: a client
 * that reads the remaining quota holds back by itself, and would never see a 429.
 */
const EMBEDDED_LIMIT = { requests: 12, windowMs: 4_000, routes: 'all', announced: false } as const;

/** Makes the client of an upload; with `embedded` starts the server that it talks to. @throws UsageError for missing or wrong options */
export async function openTarget({ api, token, timeout, ca, embedded = false, redis = false }: TargetOptions, io: Io): Promise<Target> {
  const withTimeout = (policy: RetryPolicy): RetryPolicy => ({ ...policy, timeout: timeout?.value ?? policy.timeout });
  if (embedded) {
    const server = await startServer({ limit: EMBEDDED_LIMIT });
    return {
      http: buildClient({ token: 'embedded', baseUrl: server.apiUrl, ...(await openNetwork({ env: {}, cwd: io.cwd })) }),
      // A folder may have any number of files, and each window of this server is short.
      retry: withTimeout(policies.patient),
      close: () => server.close(),
    };
  }
  const secret = findToken(token, io.env).value;
  const network = await openNetwork({ ...io, ca });
  const share = redis ? await shareQuota(secret, io) : undefined;
  return {
    http: buildClient({
      token: secret,
      baseUrl: api?.value ?? BUILD_API,
      ...network,
      ...(share && { pace: { limiter: share.limiter, credential: noCredential } }),
    }),
    retry: withTimeout(uploadPolicy),
    close: async () => share?.close(),
  };
}

/** Uploads to signed URLs carry no token, and still count against its quota. */
function noCredential(): string {
  return '';
}
