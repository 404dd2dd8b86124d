import type { ErrorRequestHandler } from 'express';
import { ApiError } from './ApiError.js';

/** Answers errors as the API does; what the body parser found is a 400 or 413, anything unforeseen a 500 without its details. */
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
  // body-parser and Express mark errors that are the client's own with `expose` and `status`.
  if (error instanceof Error && 'expose' in error && error.expose === true && 'status' in error && typeof error.status === 'number') {
    const message = error.status === 413 ? 'The JSON body is larger than 3 MB' : error.message;
    return new ApiError(error.status, message);
  }
  return new ApiError(500, 'Internal Server Error');
}
