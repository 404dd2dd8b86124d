/** Header fields of the connection, which `fetch` itself sets (Node refuses them, a browser drops them in silence). */
const CONNECTION_FIELDS = /^(transfer-encoding|keep-alive|upgrade|expect)$/;
/** Characters that no value of a field may hold (RFC 9110 section 5.5); `Headers` lets most of them pass. */
const CONTROL_CHARACTERS = /[^\t\x20-\x7e\x80-\xff]/;

/** True if a text can be the value of a header field. */
export function isFieldValue(text: string): boolean {
  return !CONTROL_CHARACTERS.test(text);
}

/** A header field that `fetch` would refuse. */
export interface HeaderProblem {
  /** Reason in words, without the value: it may be a secret. */
  readonly message: string;
  /** Code that undici uses for the mistake. */
  readonly code: string;
}

/** The first header field that `fetch` would refuse, if there is one. */
export function headerProblem(headers: Headers): HeaderProblem | undefined {
  for (const [name, value] of headers) {
    const message = fieldProblem(name, value);
    if (message !== undefined) return { message, code: name === 'expect' ? 'UND_ERR_NOT_SUPPORTED' : 'UND_ERR_INVALID_ARG' };
  }
  return undefined;
}

function fieldProblem(name: string, value: string): string | undefined {
  if (CONNECTION_FIELDS.test(name)) return `${name} cannot be sent: it belongs to the connection; leave it out`;
  if (!isFieldValue(value)) return `${name} cannot be sent: it holds a control character; encode it`;
  if (name === 'connection' && !/^(close|keep-alive)$/i.test(value)) return 'connection takes close or keep-alive; leave it out';
  const isLength = /^\d+$/.test(value) && Number.isSafeInteger(Number(value));
  return name === 'content-length' && !isLength ? 'content-length is not a number of bytes; leave it out' : undefined;
}
