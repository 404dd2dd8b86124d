import type { UploadFile } from '../../UploadTarget.js';
import { splitByBytes } from './splitByBytes.js';

/** Bytes of JSON a request; the API takes 3 MB. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Screenshots as the API is told them, in as many batches as it takes; nothing to tell is one batch, too. */
export function screenshotBatches(files: readonly UploadFile[]): readonly (readonly object[])[] {
  return splitByBytes(files.map(entry), MOST_BYTES);
}

function entry({ key, name, contentType, metadata, threshold, baseName, parentName }: UploadFile): object {
  return {
    key,
    name,
    metadata: metadata ?? null,
    pwTraceKey: null,
    threshold: threshold ?? null,
    baseName: baseName ?? null,
    parentName: parentName ?? null,
    contentType,
  };
}
