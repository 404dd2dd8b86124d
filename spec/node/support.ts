import type { HttpClient } from 'coldfetch';
import { buildClient, screenshots, type UploadBuildEvent, type UploadBuildOptions, uploadBuild } from 'coldfetch/node';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { onTestFinished } from 'vitest';
import { all } from '../support/all.js';

export { all } from '../support/all.js';
export { folderOf } from '../support/folderOf.js';

export const SOURCE = { commit: 'c'.repeat(40), branch: 'main' } as const;

/** The embedded server, and a client of it; both end with the spec. */
export async function buildApi(options?: ServerOptions): Promise<{ server: RunningServer; http: HttpClient }> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return { server, http: buildClient({ token: 'secret', baseUrl: server.apiUrl }) };
}

/** Uploads a folder and gives all events. */
export function upload(http: HttpClient, folder: string, options: Partial<UploadBuildOptions> = {}): Promise<UploadBuildEvent[]> {
  return all(uploadBuild(http, screenshots(folder), { ...SOURCE, ...options }));
}

/** The events of one type. */
export function only<T extends UploadBuildEvent['type']>(
  events: readonly UploadBuildEvent[],
  type: T,
): (UploadBuildEvent & { readonly type: T })[] {
  return events.filter((event): event is UploadBuildEvent & { readonly type: T } => event.type === type);
}
