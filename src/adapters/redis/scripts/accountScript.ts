/**
 * Common part of the scripts: reading the account of a quota and writing it back. All of it is one hash, `KEYS[1]`; times are ms of
 * Redis's own clock.
 *
 *  - `opened`, which also names the window, and `ends`
 *  - `quota` and `window`: requests that a window allows, and its length, as announced, else as configured
 *  - `used`: permits that clients hold or have used, or more if the server says so; `seen`: how much it says; `moved`: when permits were
 *    last leased or given back
 *  - `answered`: whether the server has said anything in this window; `asked`: when an opening request was let go
 *  - `gate`: nobody sends before
 */
export const READ_ACCOUNT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = { 'opened', 'ends', 'quota', 'window', 'used', 'seen', 'moved', 'answered', 'asked', 'gate' }
local account = {}
for i, value in ipairs(redis.call('HMGET', KEYS[1], unpack(fields))) do account[fields[i]] = tonumber(value or '') end
account.gate = account.gate or 0
-- A clock that was set back: its times of before tell nothing.
if account.opened and account.opened > now + 1000 then account = { quota = account.quota, window = account.window, gate = 0 } end

local function begin(opened, ends)
  account.opened, account.ends = opened, ends
  account.used, account.seen, account.moved, account.answered, account.asked = 0, 0, opened, 0, 0
end

local function left()
  return account.quota and math.max(0, account.quota - math.max(account.used, account.seen))
end
`;

/** Keeps the account until a whole window after its end: what is known of the quota is still good for those who come then. */
export const WRITE_ACCOUNT = `
local life = math.max(1, math.ceil(math.max(account.ends, account.gate) - now + (account.window or 60000)))
for name, value in pairs(account) do redis.call('HSET', KEYS[1], name, value) end
redis.call('PEXPIRE', KEYS[1], life)
`;
