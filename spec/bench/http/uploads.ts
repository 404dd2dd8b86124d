/** Uploads screenshots by every tool in turn and prints the seconds and processor seconds of each round, as JSON. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { undici as sendByUndici } from 'coldfetch/undici';
import { buildClient, screenshots, uploadBuild } from 'coldfetch/node';
import { lastValueFrom } from 'rxjs';
import { FormData, request } from 'undici';
import { peer } from './peers.js';
import { type Origins, SCREENSHOTS } from './settings.js';

/** Seconds of each round. */
export interface UploadCost {
  readonly wall: number[];
  readonly cpu: number[];
}

const { plain } = JSON.parse(process.argv[2] ?? '{}') as Origins;
const rounds = Number(process.argv[3] ?? 3);
const folder = process.argv[4] ?? '';
const token = 'x'.repeat(40);
const commit = 'c'.repeat(40);

type Upload = (api: string) => Promise<unknown>;

async function upload(api: string, transport?: ReturnType<typeof sendByUndici>): Promise<void> {
  const http = buildClient({ token, baseUrl: api, transport });
  const last = await lastValueFrom(
    uploadBuild(http, screenshots(folder), { commit, branch: 'main', concurrency: SCREENSHOTS.concurrency }),
  );
  if (last.type !== 'summary' || !last.completed) throw new Error(`not completed: ${JSON.stringify(last)}`);
}

/** The least that an upload takes: files read and hashed, one build asked for, each file sent as a form by undici, the build completed. */
async function bareLoop(api: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (method: 'POST' | 'PUT', path: string, body: object): Promise<unknown> => {
    const { body: answer } = await request(new URL(path, api), { method, headers, body: JSON.stringify(body) });
    return answer.json();
  };
  const names = readdirSync(folder);
  const keys = new Map(
    names.map((name) => [
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
      name,
    ]),
  );
  const asked = [...keys.keys()].map((key) => ({ key, contentType: 'image/png' }));
  const { build, screenshots: forms } = (await ask('POST', 'builds', { commit, branch: 'main', screenshots: asked })) as {
    readonly build: { readonly id: string };
    readonly screenshots: readonly { readonly key: string; readonly postUrl: string; readonly fields: Record<string, string> }[];
  };
  const left = [...forms];
  const send = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const form = new FormData();
      for (const [name, value] of Object.entries(next.fields)) form.set(name, value);
      form.set('file', new Blob([readFileSync(join(folder, keys.get(next.key) ?? ''))], { type: 'image/png' }));
      const { statusCode, body } = await request(next.postUrl, { method: 'POST', body: form });
      await body.dump();
      if (statusCode >= 300) throw new Error(`status ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: SCREENSHOTS.concurrency }, send));
  await ask('PUT', `builds/${build.id}`, { screenshots: [...keys].map(([key, name]) => ({ key, name })) });
}

const argos = await peer('@argos-ci/core');
const tools: Record<string, Upload> = {
  'bare loop of undici': bareLoop,
  uploadBuild: (api) => upload(api),
  'uploadBuild on coldfetch/undici': (api) => upload(api, sendByUndici()),
  ...(argos && {
    '@argos-ci/core': (api: string) => argos.upload({ root: folder, token, apiBaseUrl: api, commit, branch: 'main', buildName: 'peer' }),
  }),
};
const costs: Record<string, UploadCost> = Object.fromEntries(Object.keys(tools).map((name) => [name, { wall: [], cpu: [] }]));
for (let round = 0; round < rounds; round++) {
  for (const [name, tool] of Object.entries(tools)) {
    const api = await (await fetch(`${plain}/api`)).text();
    const [began, used] = [performance.now(), process.cpuUsage()];
    await tool(api);
    const { user, system } = process.cpuUsage(used);
    costs[name]?.wall.push((performance.now() - began) / 1000);
    costs[name]?.cpu.push((user + system) / 1e6);
  }
}
process.stdout.write(JSON.stringify(costs), () => process.exit());
