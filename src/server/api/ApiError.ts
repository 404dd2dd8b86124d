import type { ErrorRequestHandler } from 'express';

/** An error response in the shape of the API: `{ error, details?: [{ message }] }`. */
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

/**
 * Answers errors as the API does: a refusal by Express or its body parser keeps its status, any unforeseen error is a 500 without its
 * details.
 */
export const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent || response.destroyed) {
    next(error);
    return;
  }
  const answer = toApiError(error);
  response.status(answer.status).json(answer);
};

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // The `status` of an error is 4xx where body-parser and Express blame the client.
  if (error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500) {
    return new ApiError(error.status, error.status === 413 ? 'The JSON body is larger than 3 MB' : error.message);
  }
  return new ApiError(500, 'Internal Server Error');
}
