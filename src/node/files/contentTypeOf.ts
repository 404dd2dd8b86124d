import { extname } from 'node:path';

/** The image types that screenshots come in, by extension. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

/** The media type of a file by the extension of its name; `application/octet-stream` where it is not an image's. */
export function contentTypeOf(path: string): string {
  return IMAGE_TYPES[extname(path).slice(1).toLowerCase()] ?? 'application/octet-stream';
}
