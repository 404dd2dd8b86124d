import { exec } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { PassThrough, Writable } from 'node:stream';
import { NEVER, Subject } from 'rxjs';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { folderOf } from '../../node/support.js';
import { handClock } from '../../support/handClock.js';
import { loopback } from '../../support/loopback.js';
import { coldfetch, worldOf } from '../support.js';

async function serve(options?: ServerOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('coldfetch get', () => {
  it('prints a body byte for byte, and nothing else', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128, 0]);
    const { url } = await loopback((_, response) => response.end(bytes));
    const written: Buffer[] = [];
    const { io, stderr } = worldOf();
    const stdout = new PassThrough().on('data', (chunk: Buffer) => written.push(chunk));
    expect(await run(['get', url], { ...io, stdout })).toBe(0);
    expect([Buffer.concat(written), stderr()]).toEqual([bytes, '']);
  });

  it('sends header fields, to the origin that it was told alone', async () => {
    const seen: (string | undefined)[] = [];
    const { url: other } = await loopback((request, response) => {
      seen.push(request.headers.authorization);
      response.end('[2]');
    });
    const { url } = await loopback((request, response) => {
      seen.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').writeHead(302, { location: other }).end();
    });
    expect(await coldfetch(['get', url, '--header', 'Authorization: Bearer secret'])).toMatchObject({ code: 0, stdout: '[2]' });
    expect(seen).toEqual(['Bearer secret', undefined]);
  });

  it('waits as the server says, with a word on the error output', async () => {
    const server = await serve({ flaky: { routes: '/mock/daily/*', failures: 1, retryAfter: 1 } });
    const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/daily/2024-02-29`]);
    expect([code, stderr]).toEqual([0, '127.0.0.1 answered 503: next try in 1 s\n']);
    expect(JSON.parse(stdout)).toMatchObject({ date: '2024-02-29' });
  });

  it('fetches a body anew that broke off, instead of printing half of it', async () => {
    let requests = 0;
    const { url } = await loopback((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      if (requests++ === 0) response.write('12345', () => response.destroy());
      else response.end('1234567890');
    });
    expect(await coldfetch(['get', url, '--policy', 'interactive'])).toMatchObject({ code: 0, stdout: '1234567890' });
  });

  it('says in one line why there is nothing, with what the server said, and exits with 1', async () => {
    const server = await serve();
    const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/daily/yesterday?api_key=secret`]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^coldfetch: GET http:\/\/127\.0\.0\.1:\d+\/mock\/daily\/yesterday: 400 Bad Request: [^\n]+\n$/);
    expect(stderr).not.toContain('secret');
  });

  it('stops at once on Ctrl-C, in the middle of a wait', async () => {
    const server = await serve({ flaky: { routes: '*', retryAfter: 60 } });
    const stop$ = new Subject<'SIGINT'>();
    const { io, stderr } = worldOf({ stop$ });
    const code = run(['get', `${server.url}/mock/items`], io);
    await expect.poll(stderr).toContain('next try in 60 s');
    stop$.next('SIGINT');
    expect(await code).toBe(130);
  });

  it.each([
    ['no URL', [], "missing required argument 'url'"],
    ['what is none', ['users'], 'is not an http or https URL'],
    ['another scheme', ['ftp://host/'], 'is not an http or https URL'],
    ['a policy that is none', ['http://host/', '--policy', 'lenient'], 'Allowed choices are standard, upload, api'],
    ['a header field without a name', ['http://host/', '--header', 'secret'], "--header: write it as 'name: value'"],
    ['a header field that cannot be sent', ['http://host/', '--header', 'x: sec\nret'], '--header'],
    ['no pages', ['http://host/', '--paginate', '--max-pages', '0'], 'Give a whole number above 0'],
    ['both ends of a recording', ['http://host/', '--record', 'a', '--replay', 'b'], 'cannot be used with'],
    ['pages of a stream', ['http://host/', '--follow', '--paginate'], 'cannot be used with'],
    ['a stream from a cache', ['http://host/', '--follow', '--cache', 'a'], 'cannot be used with'],
  ])('says in one line what is wrong: %s', async (_case, argv, message) => {
    const { code, stdout, stderr } = await coldfetch(['get', ...argv]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^coldfetch: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/sec\s*ret/);
  });

  it('prints events as lines of JSON with --json, the waits and the body among them, without secrets', async () => {
    let requests = 0;
    const { url } = await loopback((_, response) => {
      response.setHeader('set-cookie', 'session=secret').setHeader('content-type', 'application/json');
      if (requests++ === 0) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.end('{"n":1}');
    });
    const { code, stdout, stderr } = await coldfetch(['get', `${url}/?token=secret`, '--json', '--policy', 'interactive']);
    const events = linesOf(stdout) as { readonly type: string }[];
    expect([code, stderr, stdout.includes('secret')]).toEqual([0, '', false]);
    expect(events.map(({ type }) => type)).toEqual(['sent', 'headers', 'wait', 'sent', 'headers', 'download', 'response']);
    expect(events.at(-1)).toMatchObject({ status: 200, attempt: 2, body: { n: 1 }, headers: { 'set-cookie': 'REDACTED' } });
  });

  describe('--cache', () => {
    it('asks again only for what is stale, in the next run too', async () => {
      const server = await serve();
      const cwd = await folderOf();
      const get = (path: string) => coldfetch(['get', `${server.url}${path}`, '--cache', 'cache'], { cwd });
      const fresh = [await get('/mock/daily/2024-02-29'), await get('/mock/daily/2024-02-29')];
      expect(fresh[1]).toEqual(fresh[0]);
      expect(server.counts.total).toBe(1);
      const stale = [await get('/mock/etag/a'), await get('/mock/etag/a')];
      expect(stale[1]).toEqual(stale[0]);
      expect(server.counts.byStatus).toEqual({ 200: 2, 304: 1 });
    });
  });

  it('gets what it is asked for, and warns once, where the folder of --cache does not work', async () => {
    const server = await serve();
    const cwd = await folderOf({ file: '' });
    const argv = ['get', `${server.url}/mock/items?size=500`, '--paginate', '--cache', 'file/cache'];
    const { code, stdout, stderr } = await coldfetch(argv, { cwd });
    expect([code, linesOf(stdout).length]).toEqual([0, 1_001]);
    expect(stderr).toMatch(/^coldfetch: the folder \S+cache does not work as a cache: ENOTDIR[^\n]+\n$/);
  });

  it.each([
    ['--items', 'users'],
    ['--max-pages', '3'],
  ])('takes %s for wrong usage without --paginate', async (option, value) => {
    const { code, stderr } = await coldfetch(['get', 'http://127.0.0.1:1/', option, value]);
    expect([code, stderr]).toEqual([2, `coldfetch: ${option} is for pages; give --paginate with it\n`]);
  });

  it('names options as they are given here', async () => {
    const server = await serve();
    const long = await coldfetch(['get', `${server.url}/mock/items`, '--max-bytes', '10']);
    expect([long.code, long.stderr]).toEqual([1, expect.stringContaining('raise --max-bytes')]);
    const many = await coldfetch(['get', `${server.url}/mock/items?mode=endless`, '--paginate', '--max-pages', '1']);
    expect([many.code, many.stderr]).toEqual([1, expect.stringContaining('raise --max-pages')]);
  });

  it('prints JSON bodies with each of their digits', async () => {
    const { url } = await loopback((_, response) =>
      response.setHeader('content-type', 'application/json').end('{ "id": 12345678901234567890,\n "price": 1.0 }'),
    );
    const { stdout } = await coldfetch(['get', url, '--json']);
    expect(stdout).toContain('"body":{"id":12345678901234567890,"price":1.0}}\n');
  });

  describe('--record', () => {
    it('keeps the answer, for --replay to give without network', async () => {
      const server = await serve();
      const cwd = await folderOf();
      const argv = ['get', `${server.url}/mock/daily/2024-02-29`];
      const recorded = await coldfetch([...argv, '--record', 'raw'], { cwd });
      expect((await readdir(`${cwd}/raw`)).filter((name) => name.includes('2024-02-29'))).toHaveLength(2);
      await server.close();
      expect(await coldfetch([...argv, '--replay', 'raw'], { cwd })).toEqual(recorded);
    });

    it('names the nearest recording of a request that has none', async () => {
      const server = await serve();
      const cwd = await folderOf();
      await coldfetch(['get', `${server.url}/mock/daily/2024-02-29`, '--record', 'raw'], { cwd });
      const { code, stderr } = await coldfetch(['get', `${server.url}/mock/daily/2024-02-28`, '--replay', 'raw'], { cwd });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^coldfetch: .*2024-02-28 was not recorded in .*2024-02-29\. Record it with --record\n$/),
      ]);
    });
  });

  describe('--paginate', () => {
    it('follows Link fields, and prints each item as a line of JSON', async () => {
      const server = await serve();
      const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/items`, '--paginate']);
      const items = linesOf(stdout) as { readonly id: number }[];
      expect([code, stderr, server.counts.total]).toEqual([0, '', 11]);
      expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
    });

    it('prints items as they came, each digit of them', async () => {
      const { url } = await loopback((_, response) => response.end('{"rows": [{ "id": 12345678901234567890 }, 1.0]}'));
      expect((await coldfetch(['get', url, '--paginate'])).stdout).toBe('{"id":12345678901234567890}\n1.0\n');
    });

    it('says where to go on when a page fails, after the items before it', async () => {
      const server = await serve({ flaky: { routes: '/mock/items?*page=3*', failures: 9, status: 501 } });
      const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/items?by=page&size=2&total=9`, '--paginate']);
      expect([code, linesOf(stdout).length]).toEqual([1, 4]);
      expect(stderr).toMatch(/^coldfetch: GET .*: 501 .*; go on from http:\S+page=3\n$/);
    });

    it('stops at the 51st page unless told otherwise', async () => {
      const server = await serve();
      const argv = ['get', `${server.url}/mock/items?mode=endless&size=1`, '--paginate'];
      expect(await coldfetch(argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('more than 50 pages') });
      const { code, stdout } = await coldfetch([...argv, '--max-pages', '60']);
      expect([code, linesOf(stdout).length]).toEqual([1, 60]);
    });

    it('takes the items from the field that it is told, and asks where there are several', async () => {
      const { url } = await loopback((_, response) => response.end('{"users":[1],"groups":[2]}'));
      const argv = ['get', url, '--paginate'];
      expect(await coldfetch([...argv, '--items', 'groups'])).toMatchObject({ code: 0, stdout: '2\n' });
      expect(await coldfetch(argv)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('lists in users, groups; name one by --items'),
      });
    });

    it('ends well in a pipe whose reader leaves', async () => {
      const server = await serve();
      const command = `node '${inject('command')}' get '${server.url}/mock/items?mode=endless' --paginate`;
      const said = await new Promise<unknown>((resolve) => {
        // The exit code of the whole pipe is that of head, so the command prints its own.
        exec(`{ ${command}; echo "exit $?" >&2; } | head -1`, (_, stdout, stderr) => resolve([stdout, stderr]));
      });
      expect(said).toEqual(['{"id":1,"name":"item 1"}\n', 'exit 0\n']);
    });

    it('asks for no page more when nobody reads on', async () => {
      const server = await serve();
      const stdout = new Writable({ write: (_, __, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) });
      const { io, stderr } = worldOf();
      expect(await run(['get', `${server.url}/mock/items?mode=endless`, '--paginate'], { ...io, stdout })).toBe(0);
      expect([stderr(), server.counts.total]).toEqual(['', 1]);
    });
  });

  describe('--follow', () => {
    it('takes a stream that falls silent for lost after --timeout', async () => {
      const { url } = await loopback((_, response) => {
        response.setHeader('content-type', 'application/x-ndjson');
        response.write('{"id":1}\n');
      });
      const clock = handClock();
      const { io, stdout, stderr } = worldOf();
      const code = run(['get', url, '--follow', '--timeout', '2s'], io);
      await expect.poll(stdout).toBe('{"id":1}\n');
      clock.move(2000);
      expect([await code, stdout()]).toEqual([1, '{"id":1}\n']);
      expect(stderr()).toBe('coldfetch: the stream broke off after 1 line: The stream was silent for 2000 ms\n');
    });

    it.each(['text/event-stream', 'application/x-ndjson'])('ends a stream of %s that is longer than --max-bytes', async (type) => {
      const { url } = await loopback((_, response) => {
        response.setHeader('content-type', type);
        response.end(type === 'text/event-stream' ? `data: ${'1'.repeat(2000)}\n\n` : `"${'1'.repeat(2000)}"\n`);
      });
      const { code, stderr } = await coldfetch(['get', url, '--follow', '--max-bytes', '1000']);
      expect([code, stderr]).toEqual([1, 'coldfetch: The stream is longer than 1000 bytes; raise --max-bytes if it is meant to be\n']);
    });

    it('prints the data of server-sent events, across broken connections', async () => {
      const server = await serve();
      const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/events?count=5&breakAfter=3&retry=1`, '--follow']);
      expect([code, stderr]).toEqual([0, '']);
      expect(linesOf(stdout).map((event) => (event as { n: number }).n)).toEqual([1, 2, 3, 4, 5]);
    });

    it('prints an event as soon as it comes', async () => {
      const server = await serve();
      const { io, stdout } = worldOf({ stop$: NEVER });
      const stop$ = new Subject<'SIGINT'>();
      const code = run(['get', `${server.url}/mock/events?count=1&hold=1`, '--follow'], { ...io, stop$ });
      await expect.poll(stdout).toContain('"n":1');
      stop$.next('SIGINT');
      expect(await code).toBe(130);
    });

    it('prints lines of JSON as they came, each digit of them', async () => {
      const { url } = await loopback((_, response) => response.end('{"id":9007199254740993}\n\n{"x": 1.0}\n'));
      expect(await coldfetch(['get', url, '--follow'])).toEqual({ code: 0, stdout: '{"id":9007199254740993}\n{"x": 1.0}\n', stderr: '' });
    });

    it('says how far a stream got that broke off', async () => {
      const server = await serve();
      const { code, stdout, stderr } = await coldfetch(['get', `${server.url}/mock/lines?count=9&breakAfter=4&tear=1`, '--follow']);
      expect([code, linesOf(stdout).length]).toEqual([1, 4]);
      expect(stderr).toMatch(/^coldfetch: the stream broke off after 4 lines: [^\n]+\n$/);
    });

    it('names the number of a line that is not JSON', async () => {
      const server = await serve();
      const { code, stderr } = await coldfetch(['get', `${server.url}/mock/lines?bad=3`, '--follow']);
      expect([code, stderr]).toEqual([1, 'coldfetch: Line 3 is not JSON: "{\\"n\\":"\n']);
    });

    it('reads no faster than its output takes it', async () => {
      const server = await serve();
      let taken = 0;
      const stalled = new Writable({ highWaterMark: 1_000, write: (chunk: Buffer) => void (taken += chunk.length) });
      const { io } = worldOf();
      const stop$ = new Subject<'SIGINT'>();
      const code = run(['get', `${server.url}/mock/lines?count=100000&bytes=1000`, '--follow'], { ...io, stdout: stalled, stop$ });
      await expect.poll(() => taken).toBeGreaterThan(0);
      // 100 MB would be on their way; what the sockets hold is less than a tenth of it.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(stalled.writableLength).toBeLessThan(1_000_000);
      stop$.next('SIGINT');
      expect(await code).toBe(130);
    });

    it('prints lines and events as lines of JSON with --json', async () => {
      const server = await serve();
      const lines = linesOf((await coldfetch(['get', `${server.url}/mock/lines?count=2`, '--follow', '--json'])).stdout);
      expect(lines).toContainEqual({ type: 'item', item: { n: 2, text: 'größer 🙂' } });
      const events = linesOf((await coldfetch(['get', `${server.url}/mock/events?count=1`, '--follow', '--json'])).stdout);
      expect(events).toContainEqual({ type: 'message', id: '1', event: 'message', data: '{"n":1,"text":"größer 🙂"}' });
    });
  });
});
