import { describe, expect, it } from 'vitest';
import { userProjects } from './userProjects.js';

const angular = (version: string): string[] => ['common', 'compiler', 'core'].map((name) => `@angular/${name}@${version}`);

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

const { installed } = userProjects();

describe('coldfetch/angular', () => {
  it.each([
    ['20.0.0', '5.8.3'],
    ['^21.0.0', '5.9.3'],
    ['^22.0.0', '6.0.3'],
  ])('compiles and works with Angular %s and TypeScript %s', { timeout: 240_000 }, async (version, typescript) => {
    const project = await installed([...angular(version), `typescript@${typescript}`, '@types/node@20.19.43', 'rxjs@7.8.2']);
    await project.write({ 'work.ts': AT_WORK, 'tsconfig.json': TSCONFIG });
    expect(await project.run('node_modules/.bin/tsc')).toEqual({ ok: true, output: '' });
    const { output } = await project.run(process.execPath, ['work.js']);
    expect(output).toBe('["retryAfter",1,"over",0,"fine","retryAfter",1,"over",0,"fine","completed"]\n');
  });
});
