import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finished } from '../support/packedProject.js';
import type { RegistryProject } from '../support/registryProject.js';

/** Both clients wait for a server that says later; requests end with their injector. */
const AT_WORK = `
import '@angular/compiler';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClient, provideHttpClient, withFetch, withInterceptors, withNoXsrfProtection } from '@angular/common/http';
import {
  createEnvironmentInjector,
  type EnvironmentInjector,
  Injector,
  PLATFORM_ID,
  provideZonelessChangeDetection,
  signal,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { policies, type WaitEvent } from 'coldfetch';
import { bodyWithWaits, COLDFETCH, provideColdfetch, retryAfterInterceptor, WAITING_REQUESTS, waitsTo, withClient, withPolicy } from 'coldfetch/angular';
import { lastValueFrom } from 'rxjs';

const statuses = [429, 200, 429, 200];
const server = createServer((_, response) => {
  response.writeHead(statuses.shift() ?? 500, { 'retry-after': '1', 'content-type': 'application/json', connection: 'close' }).end('"fine"');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}/\`;

const injector = createEnvironmentInjector(
  [
    { provide: INJECTOR_SCOPE, useValue: 'root' },
    { provide: PLATFORM_ID, useValue: 'browser' },
    provideZonelessChangeDetection(),
    provideHttpClient(withFetch(), withNoXsrfProtection(), withInterceptors([retryAfterInterceptor()])),
    provideColdfetch(withPolicy(policies.interactive), withClient({ baseUrl: url })),
  ],
  Injector.NULL as EnvironmentInjector,
);
const told: unknown[] = [];
const tell = (wait: WaitEvent | undefined): void => void told.push(wait?.source ?? 'over', injector.get(WAITING_REQUESTS)().length);
const http = injector.get(COLDFETCH);
told.push(await lastValueFrom(injector.get(HttpClient).get<string>(url, { context: waitsTo(tell) })));
told.push(await lastValueFrom(http.get<string>('', { observe: 'events' }).pipe(bodyWithWaits(tell))));
const wait = signal<WaitEvent | undefined>(undefined);
waitsTo(wait);
injector.destroy();
told.push(await lastValueFrom(http.get(''), { defaultValue: 'completed' }));
server.close();
console.log(JSON.stringify(told));
`;

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true, skipLibCheck: false, types: ['node'], lib: ['ES2023', 'DOM'] },
  files: ['work.ts'],
});

/** Output of the compiler, and of the program where that is fine. */
export interface AtWork {
  readonly compiled: Finished;
  readonly output: string;
}

/** Output of a program that works. */
export const WORKS: AtWork = {
  compiled: { ok: true, output: '' },
  output: '["retryAfter",1,"over",0,"fine","retryAfter",1,"over",0,"fine","completed"]\n',
};

/** Compiles the program in a folder of a project that has Angular, TypeScript and coldfetch, all of their types checked, and runs it. */
export async function angularAtWork(project: RegistryProject): Promise<AtWork> {
  await project.write({ 'work/work.ts': AT_WORK, 'work/tsconfig.json': TSCONFIG, 'work/package.json': '{"type":"module"}' });
  const types = join(project.path, 'work/node_modules/@types/node');
  await mkdir(dirname(types), { recursive: true });
  await symlink(fileURLToPath(new URL('../../node_modules/@types/node', import.meta.url)), types);
  const compiled = await project.run('node_modules/.bin/tsc', ['-p', 'work']);
  const { output } = compiled.ok ? await project.run(process.execPath, ['work/work.js']) : { output: '' };
  return { compiled, output };
}
