import type { HttpClient } from '../../client/HttpClient.js';
import { buildClient } from '../../node/buildClient.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { isHttpUrl } from '../../request/isHttpUrl.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicy } from '../../retry/RetryPolicy.js';
import { startServer } from '../../server/startServer.js';
import type { Io } from '../Io.js';
import { findSource, type Source } from './findSource.js';
import { proxyFetch } from './proxyFetch.js';
import { shareQuota } from './shareQuota.js';

/** Where an upload goes, as the options say. */
export interface TargetOptions {
  readonly api: string;
  readonly token?: string | undefined;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly embedded?: boolean | undefined;
  /** Share the quota with other uploads, through the Redis that COLDFETCH_REDIS names. */
  readonly redis?: boolean | undefined;
}

/** Where an upload goes, and what it shows. */
export interface Target {
  readonly http: HttpClient;
  /** How requests are retried. */
  readonly retry: RetryPolicy;
  readonly source: Source;
  /** Lets go of what was started for it. */
  readonly close: () => Promise<void>;
}

/**
 * Small enough that an upload of some dozen files meets it more than once, and is done in half a minute all the same. It is not announced:
 * whoever reads what is left holds back by himself, and would never see a 429.
 */
const EMBEDDED_LIMIT = { requests: 12, windowMs: 4_000, routes: 'all', announced: false } as const;
/** Whatever is uploaded to the embedded server is not of this repository. */
const EMBEDDED_SOURCE = { commit: '0'.repeat(40), branch: 'main', details: {} } as const;

/** Makes the client of an upload; with `embedded` starts the server that it talks to. @throws UsageError for what is missing or wrong */
export async function openTarget({ api, token, embedded = false, redis = false, ...given }: TargetOptions, io: Io): Promise<Target> {
  if (embedded) {
    const server = await startServer({ limit: EMBEDDED_LIMIT });
    const { commit = EMBEDDED_SOURCE.commit, branch = EMBEDDED_SOURCE.branch } = given;
    return {
      http: buildClient({ token: 'embedded', baseUrl: server.apiUrl }),
      // However many files there are: its windows are short, and one of them says nothing of the next.
      retry: policies.patient,
      source: { ...EMBEDDED_SOURCE, commit, branch },
      close: () => server.close(),
    };
  }
  const secret = token ?? io.env.COLDFETCH_TOKEN;
  if (secret === undefined) throw new UsageError('No token: set COLDFETCH_TOKEN, or give --token; --embedded needs none');
  if (!isHttpUrl(api)) {
    throw new UsageError('--api is not an http or https URL; give one such as https://api.argos-ci.com/v2/');
  }
  const source = await findSource(given, io);
  const fetch = await proxyFetch(io.env);
  const share = redis ? await shareQuota(secret, io) : undefined;
  return {
    http: buildClient({ token: secret, baseUrl: api, fetch, ...(share && { pace: { limiter: share.limiter, credential: noCredential } }) }),
    retry: policies.upload,
    source,
    close: async () => share?.close(),
  };
}

/** Uploads to signed URLs carry no token, and are of its quota all the same. */
function noCredential(): string {
  return '';
}
