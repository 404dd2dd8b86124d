import { isVirtualResponse } from './VirtualResponse.js';

/** What two values of a kind have to agree in to be equal, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields by which errors, responses and headers compare, where a test framework would look at too much or too little: an error's stack is
 * no part of it (errors of RxJS carry it as a property of their own), its class, message and cause are; a response's head is, and its body
 * where that can be known without waiting. Undefined for everything else.
 */
export function comparable(value: unknown): Fields | undefined {
  if (isError(value)) return errorFields(value);
  if (value instanceof Response) return responseFields(value);
  if (value instanceof Headers) return Object.fromEntries(value.entries());
  return undefined;
}

/** Whether `value` is an error, of whichever realm: a test runner may have several. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function errorFields(error: Error): Fields {
  const own = Object.getOwnPropertyNames(error).filter((name) => name !== 'stack' && name !== 'request');
  const fields: Record<string, unknown> = Object.fromEntries(
    own.map((name) => [name, (error as unknown as Record<string, unknown>)[name]]),
  );
  return { class: error.constructor, name: error.name, message: error.message, cause: error.cause, ...fields };
}

/** Equal to every URL: where a response was made for a spec, nobody has asked for it yet. */
const ANY_URL = { asymmetricMatch: () => true, toString: () => 'any URL' };

function responseFields(response: Response): Fields {
  const { status, type, redirected, headers } = response;
  return {
    status,
    url: response.url || ANY_URL,
    type,
    redirected,
    headers,
    ...(isVirtualResponse(response) ? { body: response.content } : {}),
  };
}
