import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { ApiError } from '../api/ApiError.js';
import { handlePromise } from '../express/handlePromise.js';
import { numberIn, textIn } from './readQuery.js';
import { type Ending, sendChunks } from './sendChunks.js';

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
