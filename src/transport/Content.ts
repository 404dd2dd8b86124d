import type { ChunkReader } from './meterUpload.js';

/** The bytes of a body, and the facts known before they are read. */
export interface Content {
  readonly read: () => ChunkReader;
  readonly total?: number | undefined;
  readonly type?: string | undefined;
  readonly external?: boolean;
}
