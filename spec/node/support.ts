import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HttpClient } from 'coldfetch';
import { buildClient, screenshots, type UploadBuildEvent, type UploadBuildOptions, uploadBuild } from 'coldfetch/node';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import { onTestFinished } from 'vitest';

export const SOURCE = { commit: 'c'.repeat(40), branch: 'main' } as const;

/** A folder with these files, gone after the spec; a number is a file of so many random bytes. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array | number>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-spec-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'number' ? randomBytes(content) : content);
  }
  return folder;
}

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

/** All values. */
export function all<T>(values$: Observable<T>): Promise<T[]> {
  return lastValueFrom(values$.pipe(toArray()));
}

/** The events of one type. */
export function only<T extends UploadBuildEvent['type']>(
  events: readonly UploadBuildEvent[],
  type: T,
): (UploadBuildEvent & { readonly type: T })[] {
  return events.filter((event): event is UploadBuildEvent & { readonly type: T } => event.type === type);
}
