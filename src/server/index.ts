export type { StoredBuild, StoredScreenshot, StoredShard } from './api/StoredBuild.js';
export type { RequestCounts, RequestRecord } from './RequestLog.js';
export type { RunningServer } from './RunningServer.js';
export type { ServerCors, ServerFault, ServerLimit, ServerOptions, Signing } from './ServerOptions.js';
export { startServer } from './startServer.js';
