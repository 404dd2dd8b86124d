/** An answer that says no, in the shape of the API: `{ error, details?: [{ message }] }`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** The JSON body. */
  toJSON(): { error: string; details?: readonly { message: string }[] } {
    if (this.details.length === 0) return { error: this.message };
    return { error: this.message, details: this.details.map((message) => ({ message })) };
  }
}
