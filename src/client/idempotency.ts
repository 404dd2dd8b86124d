import { defer } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { fingerprint } from '../request/fingerprint.js';
import type { Interceptor } from '../request/Handler.js';
import { randomId } from '../request/randomId.js';
import { bytesOf, isBlob, isBytes, isFormData, isUrlSearchParams } from '../request/bodyShapes.js';
import { type Body, type BodyFunction, isStreamBody } from '../request/RequestBody.js';

const FIELD = 'idempotency-key';
/** Bytes of a body in memory that are compared with those of the attempt before: enough to find accidents, and quick. */
const MOST_COMPARED = 1_048_576;

/**
 * An interceptor that gives writes (POST, PATCH) an `Idempotency-Key`, once for each operation and before its first attempt, so that they can be
 * sent again. The key is a random UUID as a structured-field string, in quotes (draft-ietf-httpapi-idempotency-key-header, section 2.1). A key
 * that the caller gave is kept.
 *
 * Under one key the body has to stay the same: a body function that makes another one for a later attempt is a UsageError. In-memory bodies
 * are compared by their length and their first MiB, Blobs and streams by length and type.
 */
export const idempotency: Interceptor = (request, next) =>
  defer(() => {
    const { method, headers, body } = request;
    const keyed =
      headers.has(FIELD) || !/^(POST|PATCH)$/.test(method) ? request : request.clone({ setHeaders: { [FIELD]: `"${randomId()}"` } });
    return next(typeof body === 'function' && keyed.headers.has(FIELD) ? keyed.clone({ body: unchanging(body) }) : keyed);
  });

function unchanging(make: BodyFunction): BodyFunction {
  let first: string | undefined;
  const check = (body: Body): Body => {
    const print = printOf(body);
    first ??= print;
    if (first !== print) {
      throw new UsageError('The body function made another body under the same Idempotency-Key; make the same one for every attempt');
    }
    return body;
  };
  return (context) => {
    const made = make(context);
    return typeof made === 'object' && 'then' in made ? made.then(check) : check(made);
  };
}

/** Text by which two bodies are compared without keeping them. */
function printOf(body: Body): string {
  if (typeof body === 'string') return `text ${body.length} ${fingerprint(body.slice(0, MOST_COMPARED))}`;
  if (isUrlSearchParams(body)) return `form ${body.toString()}`;
  if (isBytes(body)) return `bytes ${body.byteLength} ${fingerprint(bytesOf(body).subarray(0, MOST_COMPARED))}`;
  if (isFormData(body)) {
    return `form-data ${JSON.stringify([...body].map(([name, value]) => [name, typeof value === 'string' ? value : printOf(value)]))}`;
  }
  if (isBlob(body)) return `blob ${body.size} ${body.type}`;
  return isStreamBody(body) ? `stream ${String(body.length)} ${String(body.type)}` : 'stream';
}
