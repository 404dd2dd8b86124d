import type { HttpClient } from '../../client/HttpClient.js';
import { buildClient } from '../../node/buildClient.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { isHttpUrl } from '../../request/isHttpUrl.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicy } from '../../retry/RetryPolicy.js';
import { startServer } from '../../server/startServer.js';
import type { Io } from '../Io.js';
import { findSource, givenSource, type Source } from './findSource.js';
import { proxyFetch } from './proxyFetch.js';
import { shareQuota } from './shareQuota.js';

/** Options that say where an upload goes. */
export interface TargetOptions {
  readonly api: string;
  readonly token?: string | undefined;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly embedded?: boolean | undefined;
  /** Share the quota with other uploads, through the Redis that COLDFETCH_REDIS names. */
  readonly redis?: boolean | undefined;
}

/** Target of an upload, and its source. */
export interface Target {
  readonly http: HttpClient;
  /** Policy of its requests. */
  readonly retry: RetryPolicy;
  readonly source: Source;
  /** Stops everything that was started for it. */
  readonly close: () => Promise<void>;
}

/**
 * A limit that an upload of some dozen files meets more than once, and is done in half a minute all the same. It is not announced: a client that
 * reads what is left holds back by itself, and would never see a 429.
 */
const EMBEDDED_LIMIT = { requests: 12, windowMs: 4_000, routes: 'all', announced: false } as const;
/** Source of an upload to the embedded server: its images need be of no repository. */
const EMBEDDED_SOURCE = { commit: '0'.repeat(40), branch: 'main', details: {} } as const;

/** Makes the client of an upload; with `embedded` starts the server that it talks to. @throws UsageError for what is missing or wrong */
export async function openTarget({ api, token, embedded = false, redis = false, ...given }: TargetOptions, io: Io): Promise<Target> {
  if (embedded) {
    const source = { ...EMBEDDED_SOURCE, ...givenSource(given) };
    const server = await startServer({ limit: EMBEDDED_LIMIT });
    return {
      http: buildClient({ token: 'embedded', baseUrl: server.apiUrl }),
      // A folder may have any number of files, and each window of this server is short.
      retry: policies.patient,
      source,
      close: () => server.close(),
    };
  }
  const secret = readToken(token, io.env);
  checkApi(api);
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

/** The token as it can be sent. @throws UsageError that names the option or variable, never its value */
function readToken(option: string | undefined, env: Io['env']): string {
  const name = option === undefined ? 'COLDFETCH_TOKEN' : '--token';
  const token = option ?? env.COLDFETCH_TOKEN;
  if (token === undefined) throw new UsageError('No token: set COLDFETCH_TOKEN, or give --token; --embedded needs none');
  if (token === '') throw new UsageError(`${name} is empty; set it to the token in the project's settings`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(`${name} is malformed: it holds blanks or characters beyond ASCII; copy the token from the project's settings`);
  }
  return token;
}

function checkApi(api: string): void {
  const example = 'give one such as https://api.argos-ci.com/v2/';
  if (!isHttpUrl(api)) throw new UsageError(`--api is not an http or https URL; ${example}`);
  const { username, password } = new URL(api);
  if (username !== '' || password !== '') throw new UsageError(`--api holds a user name or password, which is not sent; ${example}`);
}

/** Uploads to signed URLs carry no token, and are of its quota all the same. */
function noCredential(): string {
  return '';
}
