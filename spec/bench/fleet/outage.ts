import { catchError, EMPTY, mergeMap, take, timer } from 'rxjs';
import { createClient } from '../../../src/client/createClient.js';
import { allOf } from '../../../src/pace/allOf.js';
import { circuitBreaker } from '../../../src/pace/circuitBreaker.js';
import type { Limiter } from '../../../src/pace/Limiter.js';
import { pacer } from '../../../src/pace/pacer.js';
import { retryBudget } from '../../../src/pace/retryBudget.js';
import type { FetchLike } from '../../../src/request/FetchLike.js';
import { seeded } from '../../../src/simulate/seeded.js';
import { virtualTime } from '../../../src/simulate/virtualTime.js';
import { elapsed, wait } from '../../../src/time.js';

const OUTAGE = { begins: 30_000, ends: 90_000 };
const CLIENTS = 200;

/** Prints what 200 clients, each with a request a second, send into an outage of a minute, and how soon they are back. */
export function outage(): void {
  console.log(`${CLIENTS} clients, a request a second each, policy standard; the server answers 503 for 60 s`);
  console.log('                     requests in the outage   90 % of clients served again after');
  const variants: readonly [name: string, make: (random: () => number) => Limiter][] = [
    ['neither', (random) => pacer({ random })],
    ['retryBudget', (random) => allOf(pacer({ random }), retryBudget())],
    ['circuitBreaker', (random) => allOf(pacer({ random }), circuitBreaker({ random }))],
    ['both', (random) => allOf(pacer({ random }), retryBudget(), circuitBreaker({ random }))],
  ];
  for (const [name, make] of variants) {
    const { sent, back } = play(make);
    console.log(`${name.padEnd(20)} ${String(sent).padStart(23)}   ${`${back} s`.padStart(34)}`);
  }
}

function play(make: (random: () => number) => Limiter): { sent: number; back: number } {
  let sent = 0;
  /** Clients that had an answer, second by second. */
  const served: Set<number>[] = Array.from({ length: 600 }, () => new Set());
  const fetchOf =
    (client: number): FetchLike =>
    () =>
      wait(50).pipe(
        mergeMap(() => {
          const now = elapsed();
          const down = now >= OUTAGE.begins && now < OUTAGE.ends;
          if (down) sent++;
          else served[Math.floor(now / 1000)]?.add(client);
          return [new Response(null, { status: down ? 503 : 204 })];
        }),
      );
  virtualTime(() => {
    for (let client = 0; client < CLIENTS; client++) {
      const random = seeded(client);
      const http = createClient({ fetch: fetchOf(client), retry: { random }, pace: make(random) });
      // A request a second, however the ones before are getting on: users do not wait for each other.
      timer(random() * 1000)
        .pipe(
          mergeMap(() => timer(0, 1000).pipe(take(240))),
          mergeMap(() => http.get('https://api.test/').pipe(catchError(() => EMPTY))),
        )
        .subscribe();
    }
  });
  const second = served.findIndex(({ size }, i) => i >= OUTAGE.ends / 1000 && size >= 0.9 * CLIENTS);
  return { sent, back: second + 1 - OUTAGE.ends / 1000 };
}
