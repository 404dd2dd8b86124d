import type { Express } from 'express';
import { answerError, ApiError } from './api/ApiError.js';
import { apiRoutes } from './api/apiRoutes.js';
import type { BuildStore } from './api/BuildStore.js';
import { crossOrigin } from './crossOrigin.js';
import { flaky } from './flaky.js';
import type { Peers } from './express/loadPeers.js';
import { mockRoutes } from './mock/mockRoutes.js';
import type { RunningLimiter } from './rateLimiter.js';
import type { RequestLog } from './express/RequestLog.js';
import type { ResolvedOptions } from './options/resolveOptions.js';
import type { FileStore } from './storage/FileStore.js';
import { storageRoutes } from './storage/storageRoutes.js';
import { UploadPolicy } from './storage/UploadPolicy.js';

/** State and options of the routes. */
export interface AppContext {
  readonly options: ResolvedOptions;
  readonly builds: BuildStore;
  readonly files: FileStore;
  readonly log: RequestLog;
  readonly limiter: RunningLimiter | undefined;
}

/** The application: log, CORS, limit and injected faults in this order, then the routes, each with its own error responses. */
export function createApp(peers: Peers, context: AppContext): Express {
  const { options, builds, log, limiter } = context;
  const app = peers.express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    log.watch(request, response);
    next();
  });
  if (options.cors !== undefined) app.use(crossOrigin(options.cors));
  // The limit stands before authentication, as in the real service: a bad token uses it up too.
  if (limiter !== undefined && options.limit !== false) app.use(options.limit.routes === 'api' ? '/v2' : '/', limiter.handler);
  if (options.flaky !== undefined) app.use(flaky(options.flaky));
  const policy = new UploadPolicy();
  app.use('/v2', apiRoutes(peers, { ...context, policy }));
  app.use('/storage', storageRoutes(peers, { ...context, policy }));
  app.use('/mock', mockRoutes(peers));
  app.get('/builds/:id', (request, response) => {
    const build = builds.find(request.params.id);
    if (build === undefined) throw new ApiError(404, 'Build not found');
    response.json(build);
  });
  app.use(() => {
    throw new ApiError(404, 'Not found');
  });
  app.use(answerError);
  return app;
}
