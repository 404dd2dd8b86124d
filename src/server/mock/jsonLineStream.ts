import { setTimeout as sleep } from 'node:timers/promises';
import { handlePromise } from '../express/handlePromise.js';
import { choiceIn, numberIn } from './readQuery.js';
import { sendChunks } from './sendChunks.js';

/** Lines are sent together up to this many characters, unless `interval` keeps them apart. */
const BATCH = 65_536;

/**
 * `GET /mock/lines`: newline-delimited JSON, `{"n":1,"text":"größer 🙂"}` and so on.
 *
 * - `count` (10): the number of the last line; `from` (1): that of the first, to resume.
 * - `breakAfter`: lines before the connection closes; `tear=1` sends half of the next line first. `ending=clean` ends the answer there
 *   instead, as if it were complete.
 * - `bad`: number of a line that is no JSON. `interval`: ms between lines, default 0. `bytes`: length of a `padding` in each line.
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
