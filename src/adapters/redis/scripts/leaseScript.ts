import { READ_ACCOUNT, WRITE_ACCOUNT } from './accountScript.js';

/**
 * Gives back what a client has not used, and leases it new permits: min(need, fair share, 10).
 *
 *     KEYS  the account
 *           clients: a sorted set, who shares the quota, and until when each is expected back
 *           leases: a hash, the last call of each client in this window, so that a call sent again takes nothing twice
 *     ARGV  client, call, need, unsent, windowId, margin, probeTimeout, leaves, quota, window
 *     gives granted, windowId, opening, retryIn, endsIn, quota, window, remaining (-1: not known), clients
 *
 * A window is opened by one request; the others wait for its answer, or until its probeTimeout is over. All keys expire.
 */
export const LEASE = `
local client, call, need, unsent, windowId = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local margin, probeTimeout, leaves = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8] == '1'
${READ_ACCOUNT}
account.quota, account.window = account.quota or tonumber(ARGV[9]), account.window or tonumber(ARGV[10])
local window = account.window or 60000
if not account.opened or (now >= account.ends and now >= account.gate) then
  begin(now, now + window)
  redis.call('DEL', KEYS[3])
end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if leaves then redis.call('ZREM', KEYS[2], client) end
if need > 0 then redis.call('ZADD', KEYS[2], now + window, client) end
local clients = math.max(1, redis.call('ZCARD', KEYS[2]))

local granted, opening, retry = 0, 0, 0
local lastCall, lastGranted = string.match(redis.call('HGET', KEYS[3], client) or '0 0', '(%d+) (%d+)')
if tonumber(lastCall) == call then
  granted = tonumber(lastGranted)
elseif tonumber(lastCall) < call then
  if windowId == account.opened and unsent > 0 then
    account.used = math.max(account.seen, account.used - unsent)
    account.moved = now
    if account.answered == 0 then account.asked = 0 end
  end
  if need == 0 then
    retry = 0
  elseif now < account.gate then
    retry = account.gate - now
  elseif account.answered == 0 then
    local waited = now - account.asked
    if waited >= probeTimeout then
      granted, opening, account.asked = 1, 1, now
    else
      retry = math.min(math.max(waited / 4, 25), 250)
    end
  elseif not account.quota then
    granted = math.min(need, 10)
  elseif now >= account.ends - margin then
    retry = account.ends - now
  elseif left() > 0 then
    granted = math.min(need, math.max(1, math.floor(left() / clients)), 10, left())
  elseif account.seen >= account.quota then
    retry = account.ends - now
  else
    retry = math.min(account.ends - now, math.max((now - account.moved) / 2, 50), 15000)
  end
  account.used = account.used + granted
  if granted > 0 then account.moved = now end
end
${WRITE_ACCOUNT}
if leaves then
  redis.call('HDEL', KEYS[3], client)
else
  redis.call('HSET', KEYS[3], client, string.format('%d %d', call, granted))
  redis.call('PEXPIRE', KEYS[3], life)
end
if need > 0 then redis.call('ZADD', KEYS[2], now + math.max(retry, math.min(window, 60000)) + 1000, client) end
redis.call('PEXPIRE', KEYS[2], life)
return {
  granted, account.opened, opening, math.ceil(retry), account.ends - now,
  account.quota or -1, account.window or -1, left() or -1, clients
}
`;
