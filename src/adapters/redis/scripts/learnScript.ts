import { READ_ACCOUNT, WRITE_ACCOUNT } from './accountScript.js';

/**
 * Corrects the account by what an answer said: `used = max(used, quota - remaining)`. That heals a failover to a replica that lags, a Redis
 * that has started empty, and requests of tenants who do not ask Redis.
 *
 *     KEYS  the account
 *     ARGV  sentAgo, quota, window, remaining, endsIn, hint, lost; '' where the answer does not say
 *
 * Where no length is announced, the longest time to a window's end is taken for it.
 *
 * An answer to a request of an earlier window says nothing about this one; but a 429 closes the gate for all in any case, and only ever
 * longer, and one request then looks whether it has opened. Announced ends are rounded up, so within a window the earliest counts.
 */
export const LEARN = `
local sentAgo, quota, window, remaining = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local endsIn, hint, lost = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1'
${READ_ACCOUNT}
local sent = now - sentAgo
if lost then
  if account.answered == 0 and sent >= account.opened then redis.call('HSET', KEYS[1], 'asked', 0) end
  return 0
end
local ends = now + (endsIn or window or account.window or 60000)
if not account.opened or sent >= account.ends then begin(sent, ends) end
if sent >= account.opened then
  account.quota = quota or account.quota
  account.window = window or (endsIn and math.max(endsIn, account.window or 0)) or account.window
  if account.quota and remaining then
    account.seen = math.max(account.seen, account.quota - remaining)
    account.used = math.max(account.used, account.seen)
  end
  if account.answered == 0 then account.ends = ends elseif endsIn then account.ends = math.min(account.ends, ends) end
  if now >= account.gate then account.answered = 1 end
end
if hint then
  account.gate, account.answered, account.asked = math.max(account.gate, now + hint), 0, 0
end
${WRITE_ACCOUNT}
return 1
`;
