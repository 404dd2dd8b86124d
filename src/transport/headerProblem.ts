/** Fields of the connection, which is for `fetch` to make (Node refuses them, a browser drops them in silence). */
const CONNECTION_FIELDS = /^(transfer-encoding|keep-alive|upgrade|expect)$/;
/** Characters that no value of a field may hold (RFC 9110 section 5.5); `Headers` lets most of them pass. */
const CONTROL_CHARACTERS = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether a text can be the value of a header field. */
export function isFieldValue(text: string): boolean {
  return !CONTROL_CHARACTERS.test(text);
}

/** The reason why `fetch` would refuse some header fields, if it would. The value is left out, it may be a secret. */
export function headerProblem(headers: Headers): string | undefined {
  let problem: string | undefined;
  headers.forEach((value, name) => {
    if (CONNECTION_FIELDS.test(name)) problem ??= `${name} cannot be sent: it is for fetch to say; leave it out`;
    else if (!isFieldValue(value)) problem ??= `${name} cannot be sent: it holds a control character; encode it`;
    else if (name === 'connection' && !/^(close|keep-alive)$/i.test(value))
      problem ??= 'connection takes close or keep-alive; leave it out';
    else if (name === 'content-length' && !(/^\d+$/.test(value) && Number.isSafeInteger(Number(value))))
      problem ??= 'content-length is no number of bytes; leave it out';
  });
  return problem;
}
