import type { Request, RequestHandler, Response } from 'express';

/** Handler whose rejections reach the error handlers: Express 5 does that itself, Express 4 does not. */
export function handlePromise(handle: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return (request, response, next) => {
    handle(request, response).catch(next);
  };
}
