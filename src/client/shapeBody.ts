import { concatMap, from, identity, map, mergeMap, type MonoTypeOperatorFunction, type Observable, of } from 'rxjs';
import { checkSchema } from '../request/checkSchema.js';
import { BodyError } from '../request/errors/BodyError.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { HttpRequest, ResponseType } from '../request/HttpRequest.js';
import { RequestSummary } from '../request/RequestSummary.js';
import type { AnyRequestOptions, ClientResponseType } from './HttpClient.js';

/** Response type by which the pipeline reads a body for the client: a type that the pipeline does not know is made from bytes. */
export function pipelineType(responseType: ClientResponseType | undefined): ResponseType | undefined {
  return responseType === 'arrayBuffer' || responseType === 'formData' ? 'bytes' : responseType;
}

/**
 * Makes a response's body into the form that the caller asked for beyond the pipeline's: an ArrayBuffer, a FormData, a value that a schema
 * has checked. Bodies from a cache go through it like all others.
 */
export function shapeBody(
  { responseType, schema }: Pick<AnyRequestOptions, 'responseType' | 'schema'>,
  { method, url, headers }: HttpRequest,
): MonoTypeOperatorFunction<HttpEvent> {
  if (schema === undefined && pipelineType(responseType) === responseType) return identity;
  const request = new RequestSummary(method, url, headers);
  const shape = (response: ResponseEvent): Observable<unknown> => {
    const body$ =
      responseType === 'formData' ? formDataOf(response, request) : of(responseType === 'arrayBuffer' ? bufferOf(response) : response.body);
    if (schema === undefined) return body$;
    return body$.pipe(mergeMap((body) => checkSchema(schema, body, { name: `${request.toString()}: the body`, request })));
  };
  return concatMap((event) => (event.type === 'response' ? shape(event).pipe(map((body) => ({ ...event, body }))) : of(event)));
}

function bufferOf({ body }: ResponseEvent): ArrayBuffer | null {
  if (!(body instanceof Uint8Array)) return null;
  const { buffer, byteOffset, byteLength } = body;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function formDataOf({ body, headers }: ResponseEvent, request: RequestSummary): Observable<FormData | null> {
  if (!(body instanceof Uint8Array)) return of(null);
  const type = headers.get('content-type') ?? '';
  // Node's types deprecate the method, because of servers that parse a stranger's uploads with it.
  const form: { formData(): Promise<FormData> } = new Response(body, { headers: { 'content-type': type } });
  return from(
    form.formData().catch((cause: unknown) => {
      throw new BodyError(`${request.toString()}: the body is not a form but ${type || 'of no type'}; ask for another responseType`, {
        cause,
        request,
      });
    }),
  );
}
