import { resolve } from 'node:path';
import { createClient } from '../../client/createClient.js';
import type { HttpClient } from '../../client/HttpClient.js';
import { makeFolder } from '../../files/makeFolder.js';
import { type FileCache, fileCache } from '../../node/fileCache.js';
import { recorder } from '../../node/recorder.js';
import { describeFailure } from '../../node/upload/describeFailure.js';
import { withUnresolved } from '../../node/uploadPolicy.js';
import type { CacheEntry, CacheStore } from '../../read/cache/CacheStore.js';
import { httpCache } from '../../read/cache/httpCache.js';
import { codeOf } from '../../request/errors/causes.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { toHeaders } from '../../request/toHeaders.js';
import { isHttpUrl } from '../../request/urls.js';
import { policies, type PolicyName } from '../../retry/policies.js';
import { type Io, writeLine } from '../Io.js';
import type { HeaderField } from '../optionParsers.js';
import { networkFetch } from '../upload/networkFetch.js';
import type { Sourced } from '../upload/settings/Setting.js';

/** Options for getting responses. */
export interface ReaderOptions {
  readonly policy: PolicyName;
  readonly header?: readonly HeaderField[];
  readonly cache?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly maxBytes?: number;
  /** Milliseconds without progress after which an attempt fails. */
  readonly timeout?: number;
  /** PEM file of certificate authorities that are trusted, too. */
  readonly ca?: Sourced<string>;
}

/** Makes the client of a `get`: its header fields go to the origin of `url` alone. @throws UsageError for what cannot be sent */
export async function openReader(
  url: string,
  { policy, header = [], maxBytes, timeout, ca, ...folders }: ReaderOptions,
  io: Io,
): Promise<HttpClient> {
  if (!isHttpUrl(url)) {
    throw new UsageError('The URL is not an http or https URL; give one such as https://api.example.com/users');
  }
  const folder = (name: 'cache' | 'record' | 'replay'): string | undefined =>
    folders[name] === undefined ? undefined : resolve(io.cwd, folders[name]);
  const [cache, record, replay] = [folder('cache'), folder('record'), folder('replay')];
  if (record !== undefined) makeFolderFor('--record', record);
  const warn = (error: unknown): void => {
    writeLine(io.stderr, `coldfetch: the folder ${cache ?? ''} does not work as a cache: ${describeFailure(error)}`);
  };
  const fetch = replay === undefined ? await networkFetch({ ...io, ca }) : undefined;
  const recording =
    replay !== undefined
      ? recorder(replay, { mode: 'replay' })
      : record !== undefined
        ? recorder(record, fetch === undefined ? {} : { fetch })
        : fetch;
  return createClient({
    baseUrl: new URL(url).origin,
    headers: toHeaders([...header], () => '--header'),
    fetch: recording,
    maxBytes,
    timeout,
    retry: withUnresolved(policies[policy]),
    ...(cache !== undefined && { cache: httpCache({ store: watchedStore(fileCache(cache), warn) }) }),
    // Quotas of recorded responses must not hold back a replay.
    ...(replay !== undefined && { pace: false, retry: false }),
  });
}

/** @throws UsageError that names the option and the folder, where it cannot be made */
function makeFolderFor(option: string, folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new UsageError(`${option}: the folder ${folder} cannot be made (${codeOf(cause) ?? String(cause)}); name one that can be`, {
      cause,
    });
  }
}

/** A store that reports its first failure: failures cost requests, never a response, so nothing else would show them. */
function watchedStore(store: FileCache, onError: (error: unknown) => void): CacheStore {
  let told = false;
  const watch = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      if (!told) onError(error);
      told = true;
      throw error;
    });
  return {
    get: (key) => watch(store.get(key)),
    set: (key, entry: CacheEntry) => watch(store.set(key, entry)),
    delete: (key) => watch(store.delete(key)),
  };
}
