import { isObject } from '../../../request/guards.js';

/** A permit to send one image to object storage. */
export interface UploadForm {
  readonly key: string;
  readonly postUrl: string;
  /** Fields that are sent before the file, in this order. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** True if a value is an {@link UploadForm}. */
export function isUploadForm(value: unknown): value is UploadForm {
  const { key, postUrl, fields } = (value ?? {}) as Partial<Record<keyof UploadForm, unknown>>;
  return (
    typeof key === 'string' &&
    typeof postUrl === 'string' &&
    isObject(fields) &&
    Object.values(fields).every((field) => ['string', 'number', 'boolean'].includes(typeof field))
  );
}
