export type { StoredBuild, StoredDetails, StoredScreenshot, StoredShard } from './api/StoredBuild.js';
export type { RequestCounts, RequestRecord } from './express/RequestLog.js';
export type { RunningServer } from './RunningServer.js';
export type { ServerCors, ServerFault, ServerLimit, ServerOptions, Signing } from './options/ServerOptions.js';
export { startServer } from './startServer.js';
