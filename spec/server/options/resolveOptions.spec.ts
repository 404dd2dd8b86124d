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
    [{ port: -1 }, 'startServer: port is -1; give a whole number, 0 to 65535'],
    [{ port: '80' }, "startServer: port is '80'; give a whole number, 0 to 65535"],
    [{ port: NaN }, 'startServer: port is NaN'],
    [{ host: '' }, "startServer: host is ''; give a string that is not empty"],
    [{ folder: 7 }, 'startServer: folder is 7'],
    [{ token: '' }, 'startServer: token is not usable; give a string that is not empty'],
    [{ limit: true }, 'startServer: limit is true; give an object of options'],
    [{ limit: { requests: 0 } }, 'startServer: limit.requests is 0; give a whole number, 1 or more'],
    [{ limit: { windowMs: 3_000_000_000 } }, 'startServer: limit.windowMs is 3000000000'],
    [{ limit: { routes: 'storage' } }, "startServer: limit.routes is 'storage'; give 'api' or 'all'"],
    [{ limit: { announced: 1 } }, 'startServer: limit.announced is 1; give true or false'],
    [{ limit: { max: 3 } }, 'startServer: limit.max is unknown; there are requests, windowMs, routes, announced'],
    [{ flaky: 'v2/builds' }, "startServer: flaky.routes is 'v2/builds'"],
    [{ flaky: { routes: '*', failures: -1 } }, 'startServer: flaky.failures is -1'],
    [{ flaky: { routes: '*', status: 404 } }, 'startServer: flaky.status is 404; give 429, or a whole number, 500 to 599'],
    [{ flaky: {} }, 'startServer: flaky.routes is undefined'],
    [{ cors: 'all' }, "startServer: cors is 'all'; give an object of options"],
    [{ cors: { origins: 'https://a.example' } }, "startServer: cors.origins is 'https://a.example'; give '*', or a list"],
    [{ cors: { origins: ['https://a.example/x'] } }, 'startServer: cors.origins is https://a.example/x'],
    [{ cors: { exposed: ['a b'] } }, 'startServer: cors.exposed is a b'],
    [{ expiresIn: -1 }, 'startServer: expiresIn is -1'],
    [{ hasRemoteContentAccess: 'no' }, "startServer: hasRemoteContentAccess is 'no'; give true or false"],
    [{ prot: 80 }, 'startServer: prot is unknown; there are host, port'],
    [null, 'startServer: options is null; give an object of options'],
  ];
  it.each(wrong)('refuse %j', (options, message) => {
    expect(() => resolveOptions(options as ServerOptions)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) as string }),
    );
  });
});
