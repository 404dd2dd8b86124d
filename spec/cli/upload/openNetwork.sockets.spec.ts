import { createClient } from 'coldfetch';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openNetwork } from '../../../src/cli/upload/openNetwork.js';
import { loopback } from '../../support/loopback.js';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const here = { env: {}, cwd: '/' };

describe('openNetwork', () => {
  it('sends by the dispatcher of the platform, without its fetch', async () => {
    const { url } = await loopback((_request, response) => void response.end('{"n":1}'));
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    const http = createClient({ baseUrl: url, ...(await openNetwork(here)) });
    expect(await lastValueFrom(http.get('/'))).toEqual({ n: 1 });
    expect(fetched).not.toHaveBeenCalled();
  });

  it('leaves sending to fetch where no dispatcher is known', async () => {
    await openNetwork(here);
    const dispatcher: unknown = Reflect.get(globalThis, DISPATCHER);
    onTestFinished(() => void Reflect.set(globalThis, DISPATCHER, dispatcher));
    Reflect.set(globalThis, DISPATCHER, undefined);
    expect(await openNetwork(here)).toEqual({});
  });
});
