import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type HttpEvent, isBodyError, isUsageError, policies, retryReport } from 'coldfetch';
import { fileBody } from 'coldfetch/node';
import { filter, firstValueFrom, lastValueFrom, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { folderOf } from './support.js';

const http = createClient({ retry: { ...policies.standard, random: () => 0 } });

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that answers with these statuses in turn, and what it got; `answers` hears before each answer. */
async function receiver(statuses: number[] = [], answers: () => void = () => undefined) {
  const received: Received[] = [];
  const { url } = await loopback((request, response) => {
    void bodyOf(request).then(
      (body) => {
        received.push({ headers: request.headers, body });
        answers();
        response.writeHead(statuses.shift() ?? 200).end();
      },
      () => undefined,
    );
  });
  return { url, received };
}

describe('fileBody', () => {
  it('sends a file with its exact length and its type', async () => {
    const folder = await folderOf({ 'shot.png': Buffer.alloc(300_000, 'x') });
    const { url, received } = await receiver();
    await lastValueFrom(http.put(url, fileBody(join(folder, 'shot.png'))));
    expect(received.map(({ body }) => body)).toEqual(['x'.repeat(300_000)]);
    expect(received[0]?.headers).toMatchObject({ 'content-length': '300000', 'content-type': 'image/png' });
    expect(received[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('takes a file URL and a type', async () => {
    const folder = await folderOf({ 'notes #1.txt': 'hello' });
    const { url, received } = await receiver();
    await lastValueFrom(http.put(url, fileBody(pathToFileURL(join(folder, 'notes #1.txt')), { type: 'text/plain' })));
    expect([received[0]?.body, received[0]?.headers['content-type']]).toEqual(['hello', 'text/plain']);
  });

  it('is read anew for each attempt, as the file then is', async () => {
    const path = join(await folderOf({ 'a.bin': 'first' }), 'a.bin');
    const { url, received } = await receiver([503, 200], () => writeFileSync(path, 'second'));
    await lastValueFrom(http.put(url, fileBody(path)));
    expect(received.map(({ body }) => body)).toEqual(['first', 'second']);
  });

  it('tells how many bytes have left', async () => {
    const folder = await folderOf({ 'a.bin': 200_000 });
    const { url } = await receiver();
    const loaded: number[] = [];
    await lastValueFrom(
      http.put(url, fileBody(join(folder, 'a.bin')), { observe: 'events' }).pipe(
        tap((event) => {
          if (event.type === 'upload') loaded.push(event.loaded);
        }),
      ),
    );
    expect(loaded.at(-1)).toBe(200_000);
    expect(loaded.length).toBeGreaterThan(2);
  });

  it('stops reading when nobody listens any more', async () => {
    const folder = await folderOf({ 'big.bin': 20_000_000 });
    let arrived = 0;
    let closed = false;
    const { url } = await loopback((request) => {
      request.on('data', (chunk: Buffer) => (arrived += chunk.length));
      request.on('close', () => (closed = true));
    });
    const events$ = http.put(url, fileBody(join(folder, 'big.bin')), { observe: 'events' });
    await firstValueFrom(events$.pipe(filter((event) => event.type === 'upload' && event.loaded > 1_000_000)));
    await expect.poll(() => closed).toBe(true);
    expect(arrived).toBeLessThan(20_000_000);
  });

  it.each([
    ['missing.png', /missing\.png does not exist$/],
    ['folder', /folder is a folder; give a file$/],
    ['empty.png', /empty\.png is empty \(0 bytes\)/],
    ['empty.png/x.png', /x\.png does not exist: a part of its path is a file$/],
  ])('fails for %s before anything is sent', async (name, message) => {
    const folder = await folderOf({ 'empty.png': '', 'folder/x.png': 'x' });
    const { url, received } = await receiver();
    const error = await errorOf(http.put(url, fileBody(join(folder, name))));
    expect([isUsageError(error), (error as Error).message]).toEqual([true, expect.stringMatching(message)]);
    expect(received).toEqual([]);
  });

  it('sends an empty file where that is meant', async () => {
    const folder = await folderOf({ empty: '' });
    const { url, received } = await receiver();
    await lastValueFrom(http.put(url, fileBody(join(folder, 'empty'), { allowEmpty: true })));
    expect(received[0]?.headers['content-length']).toBe('0');
  });

  it('does not retry a file that changed while it was sent', async () => {
    const folder = await folderOf({ 'big.bin': 5_000_000 });
    const path = join(folder, 'big.bin');
    const { url } = await receiver();
    let grown = false;
    const grow = (event: HttpEvent): void => {
      if (event.type !== 'upload' || grown) return;
      grown = true;
      appendFileSync(path, 'more');
    };
    const error = await errorOf(http.put(url, fileBody(path), { observe: 'events' }).pipe(tap(grow)));
    expect([isBodyError(error), retryReport(error)]).toMatchObject([true, { attempts: 1, reason: 'terminal' }]);
    expect(String(error)).toContain(`${path} changed`);
  });

  it('does not send a file that is no longer as its stamp says', async () => {
    const folder = await folderOf({ 'a.bin': 'same' });
    const path = join(folder, 'a.bin');
    utimesSync(path, 1, 1);
    const { url } = await receiver();
    const error = await errorOf(http.put(url, fileBody(path, { stamp: { bytes: 4, modified: 2_000 } })));
    expect(String(error)).toContain(`${path} changed`);
  });

  it('names a file that vanished between two attempts', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const path = join(folder, 'a.png');
    const { url } = await receiver([503, 200], () => rmSync(path));
    const error = await errorOf(http.put(url, fileBody(path)));
    expect(String(error)).toContain(`${path} does not exist`);
  });
});
