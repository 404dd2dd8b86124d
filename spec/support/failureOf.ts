/** Error that `act` throws, for specs of failures; an `act` that throws nothing fails the spec. */
export function failureOf(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new TypeError('what was thrown is no Error', { cause: error });
  }
  throw new Error('nothing was thrown');
}
