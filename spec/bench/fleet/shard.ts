import { from, mergeMap } from 'rxjs';
import { createClient } from '../../../src/client/createClient.js';
import { allOf } from '../../../src/pace/allOf.js';
import { concurrency } from '../../../src/pace/concurrency.js';
import { pacer } from '../../../src/pace/pacer.js';
import { policies } from '../../../src/retry/policies.js';

// A shard in a process of its own: `shard.js URL UPLOADS`. It says that it is ready, starts when it is told to, and says how it ended.
const [url = '', uploads = '60'] = process.argv.slice(2);
const http = createClient({ baseUrl: url, retry: policies.upload, pace: { limiter: allOf(concurrency(10), pacer()), maxWait: Infinity } });

process.once('message', () => {
  setTimeout(() => {
    from(Array.from({ length: Number(uploads) }, (_, i) => i))
      .pipe(mergeMap((i) => http.put(`files/${i}`, null, { observe: 'response' })))
      .subscribe({ complete: () => end(false), error: () => end(true) });
  }, Math.random() * 500);
});
process.send?.('ready');

function end(lost: boolean): void {
  process.send?.({ lost }, () => process.disconnect());
}
