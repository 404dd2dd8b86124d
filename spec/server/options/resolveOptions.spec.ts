import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../src/server/options/resolveOptions.js';
import type { ServerOptions } from 'coldfetch/server';

describe('the options of a server', () => {
  it('default to loopback, any port, a temporary folder, any token, no limit and 30 minutes', () => {
    const { expiresIn, ...rest } = resolveOptions({});
    expect(rest).toEqual({
      host: '127.0.0.1',
      port: 0,
      folder: undefined,
      token: undefined,
      limit: false,
      flaky: undefined,
      cors: undefined,
      hasRemoteContentAccess: true,
    });
    expect(expiresIn({ key: 'k', count: 0 })).toBe(1_800_000);
  });

  it('take the limit of the real service when it is left open', () => {
    expect(resolveOptions({ limit: {} }).limit).toEqual({ requests: 500, windowMs: 300_000, routes: 'api', announced: true });
  });

  const wrong: readonly (readonly [unknown, string])[] = [
    [{ port: -1 }, 'startServer: port -1 is not usable; pass a whole number, 0 to 65535'],
    [{ port: '80' }, "startServer: port '80' is not usable; pass a whole number, 0 to 65535"],
    [{ port: NaN }, 'startServer: port NaN'],
    [{ host: '' }, "startServer: host '' is not usable; pass a string that is not empty"],
    [{ folder: 7 }, 'startServer: folder 7'],
    [{ token: '' }, 'startServer: token is not usable'],
    [{ limit: true }, 'startServer: limit true is not usable; pass an object of options'],
    [{ limit: { requests: 0 } }, 'startServer: limit.requests 0 is not usable; pass a whole number, 1 or more'],
    [{ limit: { windowMs: 3_000_000_000 } }, 'startServer: limit.windowMs 3000000000'],
    [{ limit: { routes: 'storage' } }, "startServer: limit.routes 'storage' is not usable; pass 'api' or 'all'"],
    [{ limit: { announced: 1 } }, 'startServer: limit.announced 1 is not usable; pass true or false'],
    [{ limit: { max: 3 } }, "startServer: limit has no 'max'; it takes requests, windowMs, routes, announced"],
    [{ flaky: 'v2/builds' }, "startServer: flaky.routes 'v2/builds'"],
    [{ flaky: { routes: '*', failures: -1 } }, 'startServer: flaky.failures -1'],
    [{ flaky: { routes: '*', status: 404 } }, 'startServer: flaky.status 404 is not usable; pass 429, or a whole number, 500 to 599'],
    [{ flaky: {} }, 'startServer: flaky.routes undefined'],
    [{ cors: 'all' }, "startServer: cors 'all' is not usable; pass an object of options"],
    [{ cors: { origins: 'https://a.example' } }, "startServer: cors.origins 'https://a.example' is not usable; pass '*', or a list"],
    [{ cors: { origins: ['https://a.example/x'] } }, 'startServer: cors.origins https://a.example/x'],
    [{ cors: { exposed: ['a b'] } }, 'startServer: cors.exposed a b'],
    [{ expiresIn: -1 }, 'startServer: expiresIn -1'],
    [{ hasRemoteContentAccess: 'no' }, "startServer: hasRemoteContentAccess 'no' is not usable; pass true or false"],
    [{ prot: 80 }, "startServer: options has no 'prot'; it takes host, port"],
    [null, 'startServer: options null is not usable; pass an object of options'],
  ];
  it.each(wrong)('refuse %j', (options, message) => {
    expect(() => resolveOptions(options as ServerOptions)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) as string }),
    );
  });
});
