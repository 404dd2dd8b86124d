/** Fields in which two values of a kind have to agree to be equal, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields by which errors and the objects of `fetch` compare, where a test framework would look at too much or too little. An error's stack
 * does not count (errors of RxJS carry it as a property of their own); its class, message and cause do. A response's head counts, and its
 * body where that can be known without waiting. Undefined for any other value.
 */
export function comparable(value: unknown): Fields | undefined {
  if (isError(value)) return errorFields(value);
  return KINDS[kindOf(value)]?.(value as never);
}

/** True if `value` is an error, of whichever realm: a test runner may have several. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /^(Error|DOMException)$/.test(kindOf(value));
}

/** True if only waiting shows the content of `value`: two such values are equal only if they are one. */
export function isOpaque(value: unknown): boolean {
  return /^(Blob|File|ReadableStream)$/.test(kindOf(value));
}

/** Name of an object's kind, in any realm: `'Headers'`, `'Blob'`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

const KINDS: Readonly<Record<string, ((value: never) => Fields) | undefined>> = {
  Response: responseFields,
  Request: ({ method, url, headers, body }: Request): Fields => ({ method, url, headers, body }),
  Headers: (headers: Headers): Fields => Object.fromEntries(headers.entries()),
  URL: ({ href }: URL): Fields => ({ href }),
  URLSearchParams: (params: URLSearchParams): Fields => ({ text: params.toString() }),
  FormData: (form: FormData): Fields => ({ entries: [...form.entries()] }),
  ArrayBuffer: (buffer: ArrayBuffer): Fields => ({ bytes: new Uint8Array(buffer) }),
};

function errorFields(error: Error): Fields {
  const own = Object.getOwnPropertyNames(error).filter((name) => name !== 'stack' && !(name === 'request' && isHidden(error, name)));
  const fields: Record<string, unknown> = Object.fromEntries(
    own.map((name) => [name, (error as unknown as Record<string, unknown>)[name]]),
  );
  return { class: error.constructor, name: error.name, message: error.message, cause: error.cause, ...fields };
}

/** The request of an error is hidden, like that of an error of coldfetch: the message names it. */
function isHidden(error: Error, name: string): boolean {
  return !Object.prototype.propertyIsEnumerable.call(error, name);
}

/** Stand-in that equals every URL: a response that was made for a spec has not been requested yet. */
const ANY_URL = { asymmetricMatch: () => true, toString: () => 'any URL' };

/** Stand-in for the body of a response of the platform: there is one, and only waiting shows its content. */
const UNREAD = { asymmetricMatch: (other: unknown): boolean => other === UNREAD, toString: () => 'a body that takes real time to read' };

function responseFields(response: Response): Fields {
  const { status, type, redirected, headers } = response;
  return {
    status,
    url: response.url || ANY_URL,
    type,
    redirected,
    headers,
    body: CONTENT in response ? contentOf(response) : response.body && UNREAD,
  };
}

/** Key of the body of a response of the kit, where it can be known without waiting; the same in every copy of the kit. */
export const CONTENT: unique symbol = Symbol.for('coldfetch.testing.content');

/** Body of a response that the kit made: its text or bytes, else the observable that it comes from; undefined for any other response. */
export function contentOf(response: Response): unknown {
  return CONTENT in response ? response[CONTENT] : undefined;
}
