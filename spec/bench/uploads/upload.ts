/** Uploads a folder in one of some ways, and prints what that took, as JSON: `upload.ts WAY API FOLDER`. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildClient, screenshots, uploadBuild } from 'coldfetch/node';
import { undici } from 'coldfetch/undici';
import { lastValueFrom, tap } from 'rxjs';
import { FormData, request } from 'undici';

const [way = '', api = '', folder = ''] = process.argv.slice(2);
const source = { commit: 'c'.repeat(40), branch: 'main' };
const peak = { descriptors: 0, sockets: 0 };

/** Notes how many descriptors are open, where the system tells. */
function look(): void {
  if (!existsSync('/proc/self/fd')) return;
  const open = readdirSync('/proc/self/fd');
  const sockets = open.filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith('socket:');
    } catch {
      // The descriptor by which the folder was read is gone.
      return false;
    }
  });
  peak.descriptors = Math.max(peak.descriptors, open.length);
  peak.sockets = Math.max(peak.sockets, sockets.length);
}

/** Cost of an upload, in seconds, MB and the most at any time. */
export interface UploadCost {
  readonly seconds: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly descriptors: number;
  readonly sockets: number;
}

/** An upload in the way of the command. */
async function coldfetch(): Promise<void> {
  let seen = 0;
  const events$ = uploadBuild(buildClient({ token: 'x', baseUrl: api, transport: undici() }), screenshots(folder), source).pipe(
    tap(() => {
      if (++seen % 200 === 0) look();
    }),
  );
  const last = await lastValueFrom(events$);
  if (last.type !== 'summary' || !last.completed) throw new Error('not completed');
}

/** The least that an upload takes, by undici: ask, send ten at once, complete. */
async function bareLoop(): Promise<void> {
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const names = await readdir(folder);
  const files = new Map<string, string>();
  for (const name of names)
    files.set(
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
      name,
    );
  let sent = 0;
  const all = [...files];
  const batches = Array.from({ length: Math.ceil(all.length / 5_000) }, (_, index) => all.slice(index * 5_000, (index + 1) * 5_000));
  for (const [index, batch] of batches.entries()) {
    const parallel = { parallel: true, parallelNonce: 'n' };
    const create = { ...source, ...parallel, screenshots: batch.map(([key]) => ({ key, contentType: 'image/png' })) };
    const created = await request(new URL('builds', api), { method: 'POST', headers, body: JSON.stringify(create) });
    const { build, screenshots: forms } = (await created.body.json()) as {
      build: { id: string };
      screenshots: { key: string; postUrl: string; fields: Record<string, string> }[];
    };
    const queue = forms.values();
    const worker = async (): Promise<void> => {
      for (const { key, postUrl, fields } of queue) {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append('file', new Blob([await readFile(join(folder, files.get(key) ?? ''))], { type: 'image/png' }), 'file.png');
        const { statusCode, body } = await request(postUrl, { method: 'POST', body: form });
        await body.dump();
        if (statusCode >= 300) throw new Error(`status ${statusCode}`);
        if (++sent % 200 === 0) look();
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    const body = {
      screenshots: batch.map(([key, name]) => ({ key, name, contentType: 'image/png' })),
      parallel: true,
      parallelTotal: batches.length,
      parallelIndex: index + 1,
      final: true,
    };
    const completed = await request(new URL(`builds/${build.id}`, api), { method: 'PUT', headers, body: JSON.stringify(body) });
    const said = await completed.body.text();
    if (completed.statusCode >= 300) throw new Error(said);
    look();
  }
}

/** The other client, from the project that OTHER_CLIENT names; its own conversion of images included. */
async function otherClient(): Promise<void> {
  const module = pathToFileURL(join(process.env.OTHER_CLIENT ?? '', 'node_modules/@argos-ci/core/dist/index.mjs')).href;
  const { upload } = (await import(module)) as { upload: (options: object) => Promise<unknown> };
  await upload({ ...source, root: folder, files: ['**/*.png'], token: 't'.repeat(40), apiBaseUrl: api });
  look();
}

const ways: Readonly<Record<string, () => Promise<void>>> = { coldfetch, bareLoop, otherClient };
const began = performance.now();
await ways[way]?.();
const { user, system } = process.cpuUsage();
const seconds = (ms: number): number => Number((ms / 1000).toFixed(2));
console.log(
  JSON.stringify({
    seconds: seconds(performance.now() - began),
    cpu: seconds((user + system) / 1000),
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    ...peak,
  } satisfies UploadCost),
);
