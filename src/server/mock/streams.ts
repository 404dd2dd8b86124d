import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { ApiError } from '../api/ApiError.js';
import { handlePromise } from '../express/handlePromise.js';
import { choiceIn, numberIn, textIn } from './readQuery.js';

/**
 * `GET /mock/events`: server-sent events with the ids 1, 2, ... and `data: {"n":1,"text":"größer 🙂"}`.
 *
 * - `count` (10): the last id. A client that has it (`Last-Event-ID`, or `lastEventId` in the query) is answered 204: no more to come.
 * - `breakAfter`: events in one connection before it closes in the middle; a client resumes with `Last-Event-ID`. Default: never.
 * - `ids=0`: without ids, so that nobody can resume.
 * - `retry`: ms, sent as `retry:` first. `interval`: ms between events, default 0.
 * - `hold=1`: stays open after the last event.
 */
export const eventStream = handlePromise(async (request, response) => {
  const count = numberIn(request, 'count', 10);
  const breakAfter = numberIn(request, 'breakAfter', Number.MAX_SAFE_INTEGER);
  const interval = numberIn(request, 'interval', 0);
  const retry = textIn(request, 'retry', '');
  const ids = numberIn(request, 'ids', 1) > 0;
  const hold = numberIn(request, 'hold', 0) > 0;
  const seen = lastSeen(request);
  if (seen >= count && !hold) {
    response.status(204).end();
    return;
  }
  const last = Math.min(count, seen + breakAfter);
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  async function* events(signal: AbortSignal): AsyncGenerator<string> {
    if (retry !== '') yield `retry: ${retry}\n\n`;
    for (let n = seen + 1; n <= last; n++) {
      yield `${ids ? `id: ${n}\n` : ''}data: ${JSON.stringify({ n, text: 'größer 🙂' })}\n\n`;
      if (interval > 0 && n < last) await sleep(interval, undefined, { signal });
    }
  }
  const ending: Ending = last < count ? 'break' : hold ? 'hold' : 'end';
  await sendChunks(response, events, ending);
});

function lastSeen(request: Request): number {
  const id = request.get('last-event-id') ?? textIn(request, 'lastEventId', '0');
  if (!/^\d+$/.test(id)) throw new ApiError(400, '`Last-Event-ID` is none that this server gave');
  return Number(id);
}

/** Lines are sent together up to this many characters, unless `interval` keeps them apart. */
const BATCH = 65_536;

/**
 * `GET /mock/lines`: newline-delimited JSON, `{"n":1,"text":"größer 🙂"}` and so on.
 *
 * - `count` (10): the number of the last line; `from` (1): that of the first, to resume.
 * - `breakAfter`: lines before the connection closes; `tear=1` sends half of the next line first. `ending=clean` ends the answer there
 *   instead, as if it were complete.
 * - `bad`: number of a line that is not JSON. `interval`: ms between lines, default 0. `bytes`: length of a `padding` in each line.
 */
export const jsonLineStream = handlePromise(async (request, response) => {
  const count = numberIn(request, 'count', 10);
  const from = numberIn(request, 'from', 1, 1);
  const last = Math.min(count, from - 1 + numberIn(request, 'breakAfter', Number.MAX_SAFE_INTEGER));
  const tear = numberIn(request, 'tear', 0) > 0;
  const clean = choiceIn(request, 'ending', ['broken', 'clean']) === 'clean';
  const bad = numberIn(request, 'bad', 0);
  const interval = numberIn(request, 'interval', 0);
  const bytes = numberIn(request, 'bytes', 0);
  const padding = bytes === 0 ? undefined : 'x'.repeat(bytes);
  const line = (n: number): string => (n === bad ? '{"n":' : JSON.stringify({ n, text: 'größer 🙂', padding })) + '\n';
  async function* lines(signal: AbortSignal): AsyncGenerator<string> {
    let batch = '';
    for (let n = from; n <= last; n++) {
      batch += line(n);
      if (batch.length < BATCH && interval === 0) continue;
      yield batch;
      batch = '';
      if (interval > 0 && n < last) await sleep(interval, undefined, { signal });
    }
    if (last < count && tear) batch += line(last + 1).slice(0, 9);
    if (batch !== '') yield batch;
  }
  response.set({ 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
  await sendChunks(response, lines, last < count && !clean ? 'break' : 'end');
});

/** End of a streamed response: a proper one, a connection that closes in the middle, or none. */
export type Ending = 'end' | 'break' | 'hold';

/**
 * Sends `chunks` as fast as the client reads, then stops as `ending` says. A client that leaves ends it, by the signal and the
 * `return` of `chunks`.
 */
export async function sendChunks(
  response: ServerResponse,
  chunks: (signal: AbortSignal) => AsyncIterable<string>,
  ending: Ending,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.flushHeaders();
  try {
    await pipeline(Readable.from(chunks(gone.signal)), response, { end: ending === 'end' });
  } catch (error) {
    if (gone.signal.aborted || response.destroyed) return;
    throw error;
  }
  // Ends the connection and not the response: the closing chunk of the chunked coding never comes.
  if (ending === 'break') response.socket?.end();
}
