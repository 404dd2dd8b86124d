import { of } from 'rxjs';
import type { HeadersLike } from '../../headers/HeadersLike.js';
import { beginningOf } from '../../operation/beginningOf.js';
import type { FailureReader } from '../../operation/OperationContext.js';
import type { FailedRequest, Failure } from '../../retry/Failure.js';
import { fetchErrors, statusZero, timeouts } from '../../retry/foreignErrors.js';
import { readBy, readError } from '../../retry/readError.js';

/**
 * Reads the errors of Angular's `HttpClient`, and those of interceptors: timeouts of RxJS, raw failures of `fetch`. Those of other clients are
 * not looked for, which leaves their readers out of a bundle.
 *
 * @param known the request, which Angular's errors do not tell
 */
function readAngularError(error: unknown, known?: FailedRequest): Failure {
  return readError(error, known, (foreign) => {
    const { status, headers } = foreign as { readonly status?: unknown; readonly headers?: HeadersLike | null };
    if (typeof status !== 'number' || typeof headers?.get !== 'function') return readBy([timeouts, fetchErrors], foreign, undefined);
    return status > 0 ? { error, type: 'response', status, headers } : readBy([timeouts, statusZero], foreign, { status, headers });
  });
}

/** Reads failures of Angular's `HttpClient`, whose errors hold their bodies. */
export const angularFailure: FailureReader = {
  read: readAngularError,
  peek: ({ error }) => of(beginningOf((error as { readonly error?: unknown } | undefined)?.error)),
};
