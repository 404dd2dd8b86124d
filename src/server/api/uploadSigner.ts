import type { ResolvedOptions } from '../options/resolveOptions.js';
import type { FileStore } from '../storage/FileStore.js';
import type { UploadPolicy } from '../storage/UploadPolicy.js';

/** One upload that the client is asked for. */
export interface SignedUpload {
  readonly key: string;
  readonly postUrl: string;
  /** Form fields to be sent before the file. */
  readonly fields: Readonly<Record<string, string>>;
}

type Wanted = readonly { readonly key: string; readonly contentType: string }[];

/** Signs uploads for the missing keys alone: existing files are not sent again, so a second run resumes. */
export function uploadSigner({
  files,
  policy,
  expiresIn,
}: {
  readonly files: FileStore;
  readonly policy: UploadPolicy;
  readonly expiresIn: ResolvedOptions['expiresIn'];
}): (wanted: Wanted, origin: string) => Promise<readonly SignedUpload[]> {
  const signings = new Map<string, number>();
  return async (wanted, origin) => {
    const present = await files.keys();
    const missing = wanted.filter(({ key }) => !present.has(key.toLowerCase()));
    return missing.map(({ key, contentType }) => {
      const count = signings.get(key) ?? 0;
      signings.set(key, count + 1);
      const now = Date.now();
      const fields = policy.sign({ key, contentType, expires: now + expiresIn({ key, count }) }, now);
      return { key, postUrl: `${origin}/storage/${key}`, fields };
    });
  };
}
