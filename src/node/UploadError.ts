import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from '../request/errors/ColdfetchError.js';

/** A build could not be created or completed; `cause` is the failure of the request. */
export class UploadError extends ColdfetchError {
  constructor(
    message: string,
    /** Step that failed. `'create'`: the API was asked for a build; `'complete'`: it was told that everything has arrived. */
    readonly step: 'create' | 'complete',
    /** True if the API may have a build from this upload: asking again could make a second one. */
    readonly buildMayExist: boolean,
    options?: ColdfetchErrorOptions,
  ) {
    super('UploadError', message, options);
  }
}

/** True if `value` is an {@link UploadError}, of whichever copy or realm. */
export function isUploadError(value: unknown): value is UploadError {
  return hasBrand(value, 'UploadError');
}
