import type { UploadFile } from '../../UploadTarget.js';

/** Header fields that carry a checksum of a file: that of RFC 9530, the one that S3 keeps and verifies, and the one that S3 signs. */
export const CHECKSUM_HEADERS = ['repr-digest', 'x-amz-checksum-sha256', 'x-amz-content-sha256'] as const;

/** Header field that carries the SHA-256 of a file: `repr-digest` (RFC 9530) or one of the two that S3 reads. */
export type ChecksumHeader = (typeof CHECKSUM_HEADERS)[number];

/** Header fields with the checksum of a file: its key, in the encoding of each field. */
export function checksumHeaders(names: readonly ChecksumHeader[], { key }: Pick<UploadFile, 'key'>): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name, key)]));
}

function valueOf(name: ChecksumHeader, key: string): string {
  const base64 = Buffer.from(key, 'hex').toString('base64');
  switch (name) {
    case 'repr-digest':
      return `sha-256=:${base64}:`;
    case 'x-amz-checksum-sha256':
      return base64;
    case 'x-amz-content-sha256':
      return key;
  }
}
