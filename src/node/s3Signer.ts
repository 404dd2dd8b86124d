import { AwsV4Signer } from 'aws4fetch';
import { concatMap, from } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import type { Interceptor } from '../request/Handler.js';

/** Credentials of S3-compatible storage. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** Region of the bucket; `'us-east-1'` by default, which self-hosted servers accept. */
  readonly region?: string | undefined;
}

/**
 * Signs requests for S3-compatible storage (AWS Signature Version 4), each attempt anew: a signature is good for 15 minutes, and waits may be longer. The
 * payload is signed where the request has `x-amz-content-sha256`, which `putTarget({ checksums })` sends.
 *
 * @throws UsageError for missing credentials; their values are never shown
 *
 * @example
 * const http = createClient({ attemptInterceptors: [s3Signer({ accessKeyId, secretAccessKey, region: 'eu-central-1' })] });
 * const target = putTarget(http, 'https://bucket.s3.eu-central-1.amazonaws.com/{name}', { checksums: ['x-amz-content-sha256'] });
 */
export function s3Signer({ accessKeyId, secretAccessKey, sessionToken, region = 'us-east-1' }: S3Credentials): Interceptor {
  if (!accessKeyId || !secretAccessKey) throw new UsageError('s3Signer: there are no credentials; give accessKeyId and secretAccessKey');
  const credentials = { accessKeyId, secretAccessKey, service: 's3', region, ...(sessionToken !== undefined && { sessionToken }) };
  return (request, next) => {
    const { method, url, headers } = request;
    const signer = new AwsV4Signer({ method, url, headers: Object.fromEntries(headers), ...credentials });
    return from(signer.sign()).pipe(concatMap((signed) => next(request.clone({ headers: signed.headers }))));
  };
}
