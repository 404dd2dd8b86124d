import type { PreparedUpload, UploadFile } from '../../UploadTarget.js';

/** Answer of a target that takes every file without a permit, and has no builds. */
export function preparedFor(files: readonly UploadFile[], url: string): PreparedUpload<undefined> {
  return { type: 'prepared', build: { id: '', url }, permits: new Map(files.map(({ name }) => [name, undefined])) };
}
