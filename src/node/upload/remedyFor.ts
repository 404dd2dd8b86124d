import { isBodyError } from '../../request/errors/BodyError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isLimiterError } from '../../request/errors/LimiterError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import { isUsageError } from '../../request/errors/UsageError.js';
import { storageError } from './describeFailure.js';
import { isTooLarge } from './sizeLimit.js';

/** Remedy for a file that could not be sent, in words. */
export function remedyFor(error: unknown): string {
  if (isTooLarge(error)) return 'make the file smaller, or leave it out by --exclude';
  if (isHttpError(error)) return httpRemedy(error.status, storageError(error)?.code);
  if (isLimiterError(error)) return 'the limit of the server outlasted the retries: upload again later, or with fewer jobs at once';
  if (isNetworkError(error) && error.code === 'ERR_REDIRECT_REFUSED') return REDIRECTED;
  if (isNetworkError(error) || isTimeoutError(error)) return 'check the connection and the proxy variables, then upload again';
  if (isBodyError(error)) return 'let nothing write to the folder while it is uploaded, then upload again';
  if (isUsageError(error)) return 'mend the file, then upload again';
  return AGAIN;
}

const REDIRECTED =
  'the server redirects this URL, and files are not sent along: give the address that it leads to, as its `location` field says (`curl -I` shows it)';
const AGAIN = 'upload again: what has arrived is not sent twice';

function httpRemedy(status: number, code: string | undefined): string {
  if (code === 'EntityTooSmall') return 'the file is empty: take it again, or leave it out by --exclude';
  if (status === 401) return 'the server wants other credentials: check the token, or what --header or the AWS_* variables give';
  if (status === 403)
    return 'check the clock of this machine, the rights of the credentials, and what a proxy in between may have changed; then upload again';
  if (status === 429) return 'the limit of the server outlasted the retries: upload again later, or with fewer jobs at once';
  if (status >= 500 || status === 408) return `the server failed: ${AGAIN}`;
  return 'the server refuses this file for good: see its answer, mend the file, or leave it out by --exclude';
}
