import { defer, EMPTY, Subject, Subscription } from 'rxjs';
import { makePermit } from '../../pace/makePermit.js';
import { queued } from '../../pace/queue/LimiterQueue.js';
import { ANY, checkOptions, FROM_1, type OptionTable } from '../../request/checkOptions.js';
import { randomId } from '../../request/randomId.js';
import { elapsed, wait } from '../../time.js';
import { ListenerCount } from './ListenerCount.js';
import type { SharedLimiter } from './quotaLimiter.js';
import { CLIENT, commandsOf, type RedisClient } from './RedisClient.js';
import { redisKey } from './redisKey.js';
import { RedisWatch } from './RedisWatch.js';
import { scriptOf } from './scriptOf.js';
import { SLOTS } from './scripts/slotsScript.js';
import { SILENCE, withFallback } from './withFallback.js';
import { FLUSH_DELAY } from './Ledger.js';

/** Options of {@link sharedConcurrency}. */
export interface SharedConcurrencyOptions {
  /** A connected client of the package `redis` or of `ioredis`; see `SharedLimiterOptions`. */
  readonly client: RedisClient;
  /** Most requests in flight, a whole number, 1 or more. */
  readonly max: number;
  /** Name of the fleet, among those that share a Redis; `''` by default. */
  readonly name?: string | undefined;
  /** Number of clients, as long as Redis has never answered; 1 by default. */
  readonly clients?: number | undefined;
  /** Milliseconds without a reply after which Redis counts as away; 50 by default. */
  readonly silence?: number | undefined;
  /**
   * Time, in ms, for which the slots of a client that has died stay taken, by Redis's clock; 30,000 by default. Slots are renewed three
   * times as often.
   */
  readonly life?: number | undefined;
}

const OPTIONS: OptionTable<SharedConcurrencyOptions> = {
  rules: {
    client: CLIENT,
    max: [(value) => Number.isInteger(value) && Number(value) >= 1, 'a whole number, 1 or more'],
    name: ANY,
    clients: FROM_1,
    silence: FROM_1,
    life: FROM_1,
  },
  required: ['client', 'max'],
};

/**
 * Limits the requests in flight of all clients together to `max`: each holds slots in Redis, no more than its fair share while there are
 * not enough, and gives back unneeded ones. Slots of a client that died are free again after `life`.
 *
 * While Redis is away, each client has floor(max / clients) slots, and at least one. A permit ends like one of `concurrency`.
 *
 * @throws UsageError if `client` is none, or an option is out of its range
 *
 * @example
 * const limiter = allOf(sharedLimiter({ client }), sharedConcurrency({ client, max: 40 }));
 */
export function sharedConcurrency(options: SharedConcurrencyOptions): SharedLimiter {
  checkOptions('sharedConcurrency', options, OPTIONS);
  const { client, max, name = '', clients: expected = 1, silence = SILENCE, life = 30_000 } = options;
  const commands = commandsOf(client);
  const slots = scriptOf(commands, SLOTS);
  const key = redisKey('slots', name);
  const keys = [`${key}:slots`, `${key}:users`];
  const watch = new RedisWatch(() => commands.ping());
  const changed$ = new Subject<void>();
  const listeners = new ListenerCount(changed$, restIfIdle);
  const me = randomId();

  let held = 0;
  let inUse = 0;
  let wanting = 0;
  let clients = expected;
  let retryAt = 0;
  let asking: Subscription | undefined;
  let flushing = Subscription.EMPTY;
  let renewal = Subscription.EMPTY;

  /** Asks Redis for as many slots as are wanted in all. */
  function ask(wanted: number): void {
    asking?.unsubscribe();
    // A slot that is not in use may belong to another client by the time of the reply.
    held = inUse;
    asking = withFallback(
      defer(() => slots(keys, [me, wanted, inUse, max, life])),
      {
        silence,
        replied: settle,
        away: () => {
          goLocal();
          return EMPTY;
        },
      },
    ).subscribe();
  }

  function settle(reply: unknown): void {
    stopAsking();
    const [granted = 0, sharing = 1] = Array.isArray(reply) ? reply.map(Number) : [];
    held = granted;
    clients = sharing;
    retryAt = elapsed() + FLUSH_DELAY;
    if (renewal.closed && inUse > 0) renew();
    changed$.next();
  }

  function goLocal(): void {
    stopAsking();
    watch.lost();
    held = ownPart();
    retryAt = elapsed() + FLUSH_DELAY;
    changed$.next();
  }

  function ownPart(): number {
    return Math.max(1, Math.floor(max / clients));
  }

  function stopAsking(): void {
    asking?.unsubscribe();
    asking = undefined;
  }

  /** Slots are renewed for as long as requests are in flight. */
  function renew(): void {
    renewal = wait(life / 3).subscribe(() => {
      if (!watch.away) ask(inUse + wanting);
      if (inUse > 0) renew();
    });
  }

  function giveBackSoon(): void {
    const tooMany = wanting === 0 || held > Math.ceil(max / clients);
    if (held <= inUse || !tooMany || watch.away || !flushing.closed) return;
    flushing = wait(FLUSH_DELAY).subscribe(() => {
      ask(inUse + wanting);
    });
  }

  function rest(): void {
    stopAsking();
    flushing.unsubscribe();
    renewal.unsubscribe();
    watch.rest();
    held = 0;
    wanting = 0;
    retryAt = 0;
    slots(keys, [me, 0, 0, max, life]).catch(() => undefined);
  }

  function restIfIdle(): void {
    if (listeners.isEmpty && inUse === 0 && (held > 0 || asking)) rest();
  }

  return queued({
    changed$: listeners.counted$,
    check: (_ask, waiting = 1) => {
      wanting = waiting;
      if (watch.away) watch.look();
      if (inUse < held) return 0;
      if (!asking && elapsed() >= retryAt) {
        if (watch.away) goLocal();
        else ask(inUse + waiting);
      }
      if (inUse < held) return 0;
      return asking ? Infinity : Math.max(1, retryAt - elapsed());
    },
    take: () => {
      inUse++;
      wanting--;
      if (renewal.closed) renew();
      return makePermit({
        release: () => {
          inUse--;
          changed$.next();
          giveBackSoon();
          restIfIdle();
        },
      });
    },
    close: rest,
  });
}
