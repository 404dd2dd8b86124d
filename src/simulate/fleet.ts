import { defer, from, identity, map, mergeMap, type Observable, takeUntil, tap } from 'rxjs';
import { createClient } from '../client/createClient.js';
import type { HttpClient } from '../client/HttpClient.js';
import { allOf } from '../pace/allOf.js';
import { concurrency } from '../pace/concurrency.js';
import type { Limiter } from '../pace/Limiter.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import { CAP } from '../request/defaults.js';
import { findRule } from '../retry/rules.js';
import { resolvePolicy } from '../retry/resolvePolicy.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { elapsed, wait } from '../time.js';
import { RefusalWait } from './RefusalWait.js';
import { seeded } from './seeded.js';
import type { Reply, Server } from './servers.js';
import { virtualTime } from './virtualTime.js';

/** A fleet of CI shards that upload to one server, each with a client of its own. */
export interface FleetOptions {
  readonly shards: number;
  /** Uploads of each shard. */
  readonly uploads: number;
  /** Most uploads that a shard has in flight; 10 by default. */
  readonly atOnce?: number | undefined;
  /** The server that all of them share. */
  readonly server: Server;
  /** Makes the limiter of a shard; without it there is retry alone. */
  readonly pace?: ((random: () => number, shard: number) => Limiter | undefined) | undefined;
  /** The retry policy of the shards. */
  readonly policy: RetryPolicyInput<HttpEvent>;
  /** Shards start at a random moment of this time, in ms; 5000 by default. */
  readonly startWithin?: number | undefined;
  /** Further delay of a shard's start, in ms; none by default. */
  readonly delay?: ((random: () => number) => number) | undefined;
  /** Lifetime of a shard, in ms, before its job is killed; unbounded by default. */
  readonly life?: ((random: () => number) => number) | undefined;
  /** Time from sending to the response, in ms, or a function that draws it; 100 by default. */
  readonly latency?: number | ((random: () => number) => number) | undefined;
  /** Seed that makes all draws the same. */
  readonly seed: number;
}

/** A request that reached the server. */
export interface Arrival {
  readonly at: number;
  readonly shard: number;
  readonly status: number;
}

/** Result of a fleet. */
export interface FleetRun {
  readonly arrivals: readonly Arrival[];
  /** Moment at which each shard was done, in ms. */
  readonly ends: readonly number[];
  readonly succeeded: number;
  /** Shards with an upload that failed. */
  readonly lost: number;
  /** Requests that a shard sent too early after its latest 429: before the whole delay, or before the cap of a policy that has one. */
  readonly early: number;
  /** Largest number of 429s that one upload received. */
  readonly mostRejections: number;
}

interface FleetCounts {
  arrivals: Arrival[];
  ends: number[];
  succeeded: number;
  lost: Set<number>;
  early: number;
  mostRejections: number;
}

/** Plays a fleet in virtual time, through clients as users make them. A shard that loses an upload stops, like a job that failed. */
export function fleet(options: FleetOptions): FleetRun {
  const random = seeded(options.seed);
  const counts: FleetCounts = { arrivals: [], ends: [], succeeded: 0, lost: new Set(), early: 0, mostRejections: 0 };
  virtualTime(() => {
    for (let shard = 0; shard < options.shards; shard++) {
      const { startWithin = 5000, delay, life } = options;
      const start = random() * startWithin + (delay?.(random) ?? 0);
      const end = start + (life?.(random) ?? Infinity);
      wait(start)
        .pipe(
          mergeMap(() => uploads(options, shard, random, counts)),
          end < Infinity ? takeUntil(wait(end)) : identity,
        )
        .subscribe({
          complete: () => counts.ends.push(elapsed()),
          error: () => counts.ends.push(elapsed()),
        });
    }
  });
  return { ...counts, lost: counts.lost.size };
}

function uploads(options: FleetOptions, shard: number, random: () => number, counts: FleetCounts): Observable<unknown> {
  const { uploads: count, atOnce = 10, pace } = options;
  const paced = pace?.(random, shard);
  const http = shardClient(options, paced, shard, random, counts);
  return from(Array.from({ length: count }, (_, index) => index)).pipe(
    mergeMap(
      (index) =>
        defer(() => {
          let rejections = 0;
          return http.put(`https://api.test/files/${shard}-${index}`, null, { observe: 'events' }).pipe(
            tap({
              next: (event) => {
                if (event.type === 'headers' && event.status === 429) rejections++;
                counts.mostRejections = Math.max(counts.mostRejections, rejections);
                if (event.type === 'response') counts.succeeded++;
                if (event.type === 'gave-up') counts.lost.add(shard);
              },
            }),
          );
        }),
      // All uploads wait at the limiter where there is one, so that it knows how much work there is.
      paced ? Infinity : atOnce,
    ),
  );
}

function shardClient(
  { server, policy, latency = 100, atOnce = 10 }: FleetOptions,
  paced: Limiter | undefined,
  shard: number,
  random: () => number,
  counts: FleetCounts,
): HttpClient {
  const obeyed = new RefusalWait(capOf(policy));
  const answer = (): Reply => {
    const reply = server(elapsed());
    counts.arrivals.push({ at: elapsed(), shard, status: reply.status });
    return reply;
  };
  const fetch: FetchLike = () =>
    defer(() => {
      const before = obeyed.refusals;
      if (elapsed() < obeyed.ends) counts.early++;
      const way = (typeof latency === 'number' ? latency : latency(random)) / 2;
      return wait(way).pipe(
        map(answer),
        mergeMap((reply) => wait(way).pipe(map(() => reply))),
        map(({ status, headers }) => {
          if (status === 429) obeyed.refused(before, elapsed(), Number(headers['retry-after'] ?? 0) * 1000);
          return new Response(null, { status, headers });
        }),
      );
    });
  const limiter = paced && allOf(concurrency(atOnce), paced);
  return createClient({ fetch, retry: { ...policy, random }, pace: limiter ? { limiter, maxWait: Infinity } : false });
}

/** Longest wait after a 429 that a policy obeys, in ms. */
function capOf(policy: RetryPolicyInput<HttpEvent>): number {
  const found = findRule(resolvePolicy(policy), { error: undefined, type: 'response', status: 429 });
  return found?.rule.hint === 'capped' ? (found.rule.cap ?? CAP) : Infinity;
}
