/** Key of the body of a response of the kit, where it can be known without waiting; the same in every copy of the kit. */
export const CONTENT: unique symbol = Symbol.for('coldfetch.testing.content');

/** Body of a response that the kit made: its text or bytes, else the observable that it comes from; undefined for any other response. */
export function contentOf(response: Response): unknown {
  return CONTENT in response ? response[CONTENT] : undefined;
}
