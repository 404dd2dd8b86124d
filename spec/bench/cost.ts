import { lastValueFrom } from 'rxjs';
import { coldFetch, createClient, policies, retryAfter } from 'coldfetch';
import { inTurn, median, microseconds } from './measure.js';

/**
 * Cost of the pipeline over the same instant stub whose answer is read the same way without it. The variants run in turn, in one process;
 * medians of the rounds, in microseconds a request.
 */
export async function cost(rounds = 30, requests = 2000): Promise<void> {
  const url = 'http://bench.test/users/1';
  const stub = (): Promise<Response> => Promise.resolve(new Response('{"id":1}'));
  const paced = createClient({ fetch: stub });
  const bare = createClient({ fetch: stub, retry: false, pace: false });
  const retried = createClient({ fetch: stub, pace: false });
  const variants: Record<string, () => Promise<unknown>> = {
    'bare stub, response.json()': () => stub().then((response) => response.json()),
    'coldFetch with selector': () => lastValueFrom(coldFetch(url, { fetch: stub, selector: (response) => response.json() })),
    'coldFetch + retryAfter()': () =>
      lastValueFrom(coldFetch(url, { fetch: stub, selector: (response) => response.json() }).pipe(retryAfter(policies.api))),
    'http.get, no retry, no pace': () => lastValueFrom(bare.get(url)),
    'http.get, retry': () => lastValueFrom(retried.get(url)),
    'http.get, retry and pacer': () => lastValueFrom(paced.get(url)),
  };
  const times = await inTurn(variants, rounds, requests);
  const base = median(times['bare stub, response.json()'] ?? []);
  console.log(`cost of a request over an instant stub (median of ${rounds} rounds of ${requests}):`);
  for (const [name, all] of Object.entries(times)) {
    const own = median(all);
    console.log(`  ${name.padEnd(30)} ${microseconds(own)} us   on top: ${microseconds(own - base)} us   x ${(own / base).toFixed(2)}`);
  }
}
