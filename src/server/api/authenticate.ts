import type { RequestHandler } from 'express';
import { ApiError } from './ApiError.js';

/** Lets requests pass that carry `Authorization: Bearer TOKEN`; any token when none is `expected`. Others are answered 401. */
export function authenticate(expected: string | undefined): RequestHandler {
  return (request, _response, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new ApiError(401, 'Missing token: send `Authorization: Bearer TOKEN`');
    if (expected !== undefined && token !== expected) throw new ApiError(401, 'Project not found: verify your token');
    next();
  };
}
