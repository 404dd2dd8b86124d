/**
 * Takes, keeps and gives back the slots of one client: requests that it may have in flight.
 *
 *     KEYS  slots: a sorted set, client:number of each slot that is held, until when
 *           clients: a sorted set, who wants slots, until when
 *     ARGV  client, wanted, inUse, most, life
 *     gives how many it holds now, and how many clients want some
 *
 * It says how many it wants in all, so a call that is sent again takes nothing twice. Of the free ones it gets no more than its fair share,
 * and keeps what is in use. A slot whose holder has died expires by Redis's own clock; so do both keys.
 */
export const SLOTS = `
local client, wanted, inUse, most, life = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if wanted > 0 then redis.call('ZADD', KEYS[2], now + life, client) else redis.call('ZREM', KEYS[2], client) end
local clients = math.max(1, redis.call('ZCARD', KEYS[2]))
local share = math.max(inUse, math.min(wanted, math.ceil(most / clients)))

local held, number = 0, 1
while true do
  local slot = client .. ':' .. number
  local mine = redis.call('ZSCORE', KEYS[1], slot)
  if number <= share and (mine or redis.call('ZCARD', KEYS[1]) < most) then
    redis.call('ZADD', KEYS[1], now + life, slot)
    held = held + 1
  elseif mine then
    redis.call('ZREM', KEYS[1], slot)
  else
    break
  end
  number = number + 1
end
redis.call('PEXPIRE', KEYS[1], life)
redis.call('PEXPIRE', KEYS[2], life)
return { held, clients }
`;
