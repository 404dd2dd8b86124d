import type { Build } from '../../UploadBuildEvent.js';

/** True if a value of an answer is a {@link Build}. */
export function isBuild(value: unknown): value is Build {
  const { id, url } = (value ?? {}) as Partial<Record<keyof Build, unknown>>;
  return typeof id === 'string' && typeof url === 'string';
}
