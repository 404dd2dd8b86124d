import type { HttpClient } from '../../../client/HttpClient.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { UploadBuildOptions } from '../../UploadBuildOptions.js';
import type { InspectedFile, UploadTarget } from '../../UploadTarget.js';
import { completeBuild } from './completeBuild.js';
import { createBuild } from './createBuild.js';
import { resolveBuildOptions } from './resolveBuildOptions.js';
import { isExpiredForm, sendToStorage } from './sendToStorage.js';
import type { UploadForm } from './UploadForm.js';

/** Limits of the API. */
const LIMITS = { bytes: 50 * 1024 * 1024, images: 5_000 } as const;

/** The build API as a target: one build, in several shards where there are more images than a request may name. */
export function buildTarget(http: HttpClient, given: UploadBuildOptions): UploadTarget<UploadForm> {
  if (typeof (http as Partial<HttpClient> | undefined)?.post !== 'function')
    throw new UsageError('uploadBuild: http is not a client; give buildClient({ token })');
  const options = resolveBuildOptions(given);
  return {
    addressing: 'content',
    identity: JSON.stringify([options.commit, options.branch, options.name, options.mode, options.parallel]),
    partSize: LIMITS.images,
    refuse,
    prepare: (part) => createBuild(http, options, part),
    send: (file, form) => sendToStorage(http, options, file, form),
    isExpired: isExpiredForm,
    complete: (part, build) => completeBuild(http, options, part, build),
  };
}

function refuse({ path, stamp: { bytes } }: InspectedFile): string | undefined {
  if (bytes === 0) return `${path} is empty (0 bytes)`;
  if (bytes > LIMITS.bytes)
    return `${path} has ${(bytes / 1024 / 1024).toFixed(1)} MiB; the API takes at most ${LIMITS.bytes / 1024 / 1024} MiB a file`;
  return undefined;
}
