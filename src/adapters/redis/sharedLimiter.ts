import { of } from 'rxjs';
import { ANY, checkOptions, FUNCTION, type OptionTable, POSITIVE } from '../../request/checkOptions.js';
import { randomId } from '../../request/randomId.js';
import { quotaLimiter, type SharedLimiter } from './quotaLimiter.js';
import { CLIENT, commandsOf, type RedisClient } from './RedisClient.js';
import { redisKey } from './redisKey.js';
import { RedisLedger } from './RedisLedger.js';
import { RedisWatch } from './RedisWatch.js';
import type { SharedLimiterEvent } from './SharedLimiterEvent.js';
import { SILENCE } from './withFallback.js';

/** Options of {@link sharedLimiter}. */
export interface SharedLimiterOptions {
  /** A connected client of the package `redis` or of `ioredis`. It stays yours: listen to its `error` events, and close it. */
  readonly client: RedisClient;
  /** Name of the fleet, among those that share a Redis but no quota; `''` by default. All who share the quota use the same name. */
  readonly name?: string | undefined;
  /** Requests that a window allows, where the server does not announce it; an announcement wins. */
  readonly quota?: number | undefined;
  /** Length of the window in ms, where the server does not announce it. */
  readonly window?: number | undefined;
  /** Name of the announced policy that is shared; by default the one with the longest window. */
  readonly policy?: string | undefined;
  /** Number of clients that share the quota, as long as Redis has never answered; 1 by default. */
  readonly clients?: number | undefined;
  /** Milliseconds without a reply after which Redis counts as away; 50 by default. Allow more if it is far. */
  readonly silence?: number | undefined;
  /** Draws from 0 up to 1; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
  /** Receives the changes between sharing and not. An error that it throws is reported as an unhandled error and changes nothing. */
  readonly notify?: ((event: SharedLimiterEvent) => void) | { next(event: SharedLimiterEvent): void } | undefined;
}

const OPTIONS: OptionTable<SharedLimiterOptions> = {
  rules: {
    client: CLIENT,
    name: ANY,
    quota: POSITIVE,
    window: POSITIVE,
    policy: ANY,
    clients: POSITIVE,
    silence: POSITIVE,
    random: FUNCTION,
    notify: ANY,
  },
  required: ['client'],
};

/**
 * Shares one quota among clients on many machines, so that the server refuses none of them: their account is kept in Redis.
 *
 * A client leases permits, min(its need, its fair share, 10) at a time, which are good for one window of the quota: until a margin of a
 * round trip and 1 s before its end (at most half of it). Unused permits are given back; those of a client that died stay spent until the
 * window ends. A window is opened by one request, the others wait for its response. The windows are learned from the responses (`RateLimit`
 * and related fields; see `readRateLimit`); each response also corrects the account, `used = max(used, quota - remaining)`, which heals a
 * failover, a Redis that has started empty, and tenants who do not ask it. A 429 closes the gate for all.
 *
 * When Redis fails, or is silent for 50 ms, this client goes on by itself at once: with its part of what was last known to remain, and with
 * its part of the quota from the next window on. So all of them together do not exceed the quota by more than what was leased between the
 * moments at which each has last heard of the account; where there are more clients than requests in a window, each sends one by that
 * chance. `notify` receives an event. A ping looks in the background, and sharing begins again with a window.
 *
 * Quotas are told apart by origin, credential and policy name. Redis holds a hash of these, and every key expires, a window after the
 * quota was last used. `check` asks Redis when the lease is used up: so the limiter does nothing while nobody waits, and leaves no timer
 * when the last ask is withdrawn or released.
 *
 * @throws UsageError if `client` is none, or an option is out of its range
 *
 * @example
 * const client = createClient({ url: process.env.REDIS_URL });
 * client.on('error', () => undefined); // the limiter goes on without
 * await client.connect();
 * const limiter = sharedLimiter({ client, name: 'screenshots' });
 * const http = coldfetch.createClient({ pace: limiter });
 */
export function sharedLimiter(options: SharedLimiterOptions): SharedLimiter {
  checkOptions('sharedLimiter', options, OPTIONS);
  const { client, name = '', quota, window, policy, clients = 1, silence = SILENCE, random = Math.random, notify } = options;
  const commands = commandsOf(client);
  const configured = { quota, window };
  return quotaLimiter({
    ledgerOf: (key) => new RedisLedger(commands, redisKey(name, key), configured),
    watch: new RedisWatch(() => commands.ping()),
    client: randomId(),
    clients,
    configured,
    policy,
    silence,
    random,
    notify: safely(notify),
  });
}

/** Passes events to `notify`; its errors go to RxJS's `onUnhandledError`. */
function safely(notify: SharedLimiterOptions['notify']): (event: SharedLimiterEvent) => void {
  if (!notify) return () => undefined;
  const next = typeof notify === 'function' ? notify : (event: SharedLimiterEvent): void => notify.next(event);
  return (event) => void of(event).subscribe(next);
}
