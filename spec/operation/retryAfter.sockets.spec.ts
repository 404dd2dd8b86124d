import { getEventListeners } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { firstValueFrom, forkJoin, type Observable } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exponential, policies, retryAfter, retryReport } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { transports, type Ways } from '../support/transports.js';

// Sockets, garbage collection and the platform's timers are real here: virtual time has none of their faults.

const at = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const soon = { base: 5, cap: 20 };
const { throttled, transient } = policies.upload.rules;
/** The policy of uploads, in a hurry. */
const quick = {
  ...policies.upload,
  rules: {
    throttled: { ...throttled, backoff: exponential(soon) },
    transient: { ...transient, backoff: exponential(soon) },
  },
};
const textBy =
  ({ coldFetch }: Ways) =>
  (url: string, init: object = {}): Observable<string> =>
    coldFetch(url, { ...init, selector: (response) => response.text() });

/** A server below HTTP: whatever `connect` does with a connection. */
async function raw(connect: (socket: Socket) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    connect(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/file` : '';
}

describe.each(transports)('by %s: a server that is no help', (_name, ways) => {
  const text = textBy(ways);

  it('is asked again if it closes in the middle, then reported with host and attempts', async () => {
    const url = await raw((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    });
    const error = await errorOf(text(url).pipe(retryAfter(quick)));
    expect(error).toMatchObject({ name: 'NetworkError', code: 'UND_ERR_SOCKET' });
    expect(String(error)).toContain('GET http://127.0.0.1');
    expect(retryReport(error)).toMatchObject({ attempts: 4, reason: 'exhausted', retries: { transient: 3 } });
  });

  it('is not asked again if what it speaks is no HTTP', async () => {
    const url = await raw((socket) => {
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    });
    const error = await errorOf(text(url).pipe(retryAfter(quick)));
    expect(error).toMatchObject({ name: 'NetworkError', code: expect.stringMatching(/^HPE_/) as string });
    expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
  });

  it('is asked again if it resets the connection', async () => {
    const url = await raw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const error = await errorOf(text(url).pipe(retryAfter(quick)));
    expect(error).toMatchObject({ name: 'NetworkError', code: 'ECONNRESET' });
    expect(retryReport(error)?.attempts).toBe(4);
  });

  it('is asked again if it is not there', async () => {
    // Nothing listens on port 2, and no other spec can be given it.
    const error = await errorOf(text('http://127.0.0.1:2/file?token=s3cret').pipe(retryAfter(quick)));
    expect(error).toMatchObject({ name: 'NetworkError', code: 'ECONNREFUSED' });
    expect(String(error)).toMatch(/^NetworkError: GET http:\/\/127\.0\.0\.1:2\/file: .*ECONNREFUSED/);
    expect(retryReport(error)?.attempts).toBe(4);
  });
});

describe.each(transports)('by %s: a retried response', (_name, ways) => {
  const text = textBy(ways);

  it('does not delay the retry by a body that never ends', async () => {
    let asked = 0;
    const { url } = await loopback((_, response) => {
      if (asked++ > 0) response.end('done');
      else response.writeHead(503).write('sorry');
    });
    expect(await firstValueFrom(text(url).pipe(retryAfter(quick)))).toBe('done');
  });

  it('leaves no socket behind, and the last one stays readable', async () => {
    // The pool of fetch may open a connection more than it needs: what counts are those that carried an answer.
    const used: Socket[] = [];
    const { url, sockets } = await loopback((request, response) => {
      used.push(request.socket);
      response.writeHead(503).end('x'.repeat(2_000_000));
    });
    const error = (await errorOf(ways.coldFetch(url).pipe(retryAfter(quick)))) as { response: Response };
    await expect.poll(() => used.map((socket) => sockets.has(socket))).toEqual([false, false, false, true]);
    expect(await error.response.text()).toHaveLength(2_000_000);
  });
});

describe.each(transports)('by %s: unsubscribing', (_name, ways) => {
  const text = textBy(ways);

  it('in an upload is seen by a reading server before the body has ended', async () => {
    const size = 10_000_000;
    let received = 0;
    let isClosed = false;
    const { url } = await loopback((request, response) => {
      request.once('data', () => subscription.unsubscribe());
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('error', () => undefined);
      response.on('close', () => (isClosed = true));
    });
    const body = () => new Blob([new Uint8Array(size)]).stream().pipeThrough(throttle());
    const subscription = text(url, { method: 'PUT', body }).subscribe({ error: () => undefined });
    await expect.poll(() => isClosed).toBe(true);
    expect(received).toBeLessThan(size);
  });

  it('in a download is seen by a server that would never end it', async () => {
    let isClosed = false;
    const { url } = await loopback((_, response) => {
      response.write('x'.repeat(1000));
      response.on('close', () => (isClosed = true));
    });
    let isReading = false;
    const selector = (response: Response): Promise<string> => ((isReading = true), response.text());
    const subscription = ways.coldFetch(url, { selector }).subscribe();
    await expect.poll(() => isReading).toBe(true);
    subscription.unsubscribe();
    await expect.poll(() => isClosed).toBe(true);
  });

  it('in a wait sends nothing any more, and a second subscription gives 200', async () => {
    let asked = 0;
    const { url, requests } = await loopback((_, response) => {
      if (asked++ > 0) response.end('done');
      else response.writeHead(429, { 'retry-after': '1' }).end();
    });
    const answer$ = text(url).pipe(retryAfter({ notify: () => queueMicrotask(() => subscription.unsubscribe()) }));
    const subscription = answer$.subscribe();
    await expect.poll(() => subscription.closed).toBe(true);
    // A timer that was set after that of the wait, and for longer, fires after it, however busy the machine is.
    await at(1100);
    expect(requests).toHaveLength(1);
    expect(await firstValueFrom(answer$)).toBe('done');
  });

  it('in a wait lets the process end', async () => {
    const script = `
      import { retryAfter } from './src/operation/retryAfter.ts';
      import { throwError } from 'rxjs';
      const error = Object.assign(new Error('429'), { status: 429, headers: new Headers({ 'retry-after': '600' }) });
      const subscription = throwError(() => error).pipe(retryAfter({ notify: () => queueMicrotask(() => subscription.unsubscribe()) })).subscribe();
    `;
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const child = spawn(process.execPath, ['--import', './spec/support/typescript.mjs', '--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const [code, signal] = await new Promise<unknown[]>((resolve) => child.on('close', (...ended) => resolve(ended)));
    expect([code, signal, complaint]).toEqual([0, null, '']);
  });
});

describe.each(transports)('by %s: one AbortSignal for 100 requests', (_name, ways) => {
  const text = textBy(ways);

  it('has no listener and gave no warning when they are over, and ends all that are not', async () => {
    const { url } = await loopback((request, response) => {
      if (request.url !== '/hang') response.end('done');
    });
    const warnings: string[] = [];
    const warn = ({ message }: Error): number => warnings.push(message);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const controller = new AbortController();
    const { signal } = controller;
    const all = (path: string): Observable<string>[] =>
      Array.from({ length: 100 }, () => text(`${url}${path}`, { signal }).pipe(retryAfter({ signal })));
    await firstValueFrom(forkJoin(all('/')));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);

    const failures = all('/hang').map(errorOf);
    await at(50);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(new Set(await Promise.all(failures))).toEqual(new Set([reason]));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(warnings).toEqual([]);
  });
});

describe.each(transports)('by %s: a hung request', (_name, ways) => {
  const text = textBy(ways);

  it('times out although garbage was collected meanwhile', async () => {
    const { url } = await loopback(() => undefined);
    const hung = Array.from({ length: 10 }, () => errorOf(text(url, { timeout: 200, signal: new AbortController().signal })));
    const collecting = setInterval(() => globalThis.gc?.(), 20);
    onTestFinished(() => clearInterval(collecting));
    for (const error of await Promise.all(hung)) expect(error).toMatchObject({ name: 'TimeoutError', timeout: 200 });
    expect(globalThis.gc).toBeTypeOf('function');
  });
});

describe.each(transports)('by %s: a Retry-After that no timer can hold', (_name, ways) => {
  it.each([
    ['a minimum', policies.patient],
    ['no cap', { ...policies.standard, rules: { throttled: { ...throttled, cap: Infinity } } }],
  ])('makes one request, not fifty, by a policy with %s and no deadline', async (_, policy) => {
    const { url, requests } = await loopback((_, response) => response.writeHead(429, { 'retry-after': '9999999999' }).end());
    let isWaiting = false;
    const subscription = ways
      .coldFetch(url)
      .pipe(retryAfter({ ...policy, deadline: Infinity, notify: () => void (isWaiting = true) }))
      .subscribe();
    await expect.poll(() => isWaiting).toBe(true);
    // A timer that cannot hold its delay fires after 1 ms.
    await at(300);
    subscription.unsubscribe();
    expect(requests).toHaveLength(1);
  });
});

describe.each(transports)('by %s: a body function', (_name, ways) => {
  const text = textBy(ways);

  it('is called once for each attempt, and each body arrives whole', async () => {
    const bodies: string[] = [];
    const { url } = await loopback((request, response) => {
      void bodyOf(request).then((body) => {
        bodies.push(`${body} ${request.headers['content-length']}`);
        response.writeHead(bodies.length < 3 ? 503 : 200).end('done');
      });
    });
    let made = 0;
    const body = () => ({ stream: new Blob([`body ${++made}`]).stream(), length: 6, type: 'text/x' });
    expect(await firstValueFrom(text(url, { method: 'POST', body }).pipe(retryAfter(quick)))).toBe('done');
    expect(bodies).toEqual(['body 1 6', 'body 2 6', 'body 3 6']);
  });
});

/** Lets a piece through every 20 ms, so that an upload takes its time. */
function throttle(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: async (chunk, controller) => {
      await at(20);
      controller.enqueue(chunk);
    },
  });
}
