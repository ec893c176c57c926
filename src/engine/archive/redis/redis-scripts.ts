// What must happen together in Redis. Times are Redis's own unless a test gives one, so that processes whose clocks
// differ agree. An entry's key is made from its member inside the scripts; in a Redis Cluster it has the hash tag of KEYS.

/**
 * KEYS: names (every member, by name), uses (by last use), ends (by expiry), sizes, bytes.
 * ARGV[1] begins an entry's key; ARGV[2] is the time in milliseconds, or empty. The arguments of a script come after.
 */
const index = `
local names, uses, ends, sizes, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local entryOf = function(member) return ARGV[1] .. member end
-- Plain tostring keeps 14 digits only.
local whole = function(number) return string.format('%.0f', number) end
local clock = redis.call('TIME')
local nowUs = ARGV[2] == '' and clock[1] * 1000000 + clock[2] or tonumber(ARGV[2]) * 1000
local nowMs = math.floor(nowUs / 1000)
local stamp = function(member, description, ttlMs)
  local kept = whole(nowMs) .. ' ' .. whole(nowMs + ttlMs) .. ' ' .. description
  redis.call('SET', entryOf(member), kept, 'PX', whole(ttlMs))
  redis.call('ZADD', ends, whole(nowMs + ttlMs), member)
  return kept
end
local look = function(member)
  local kept = redis.call('GET', entryOf(member))
  local storedAt, expiresAt, description = string.match(kept or '', '^(%d+) (%d+) (.*)$')
  if not description then return kept end
  if nowMs >= tonumber(expiresAt) then
    redis.call('DEL', entryOf(member))
    return false
  end
  -- The clock went back: it lives one lifetime from here, not longer.
  if nowMs < tonumber(storedAt) then return stamp(member, description, expiresAt - storedAt) end
  return kept
end
local forget = function(member)
  local size = redis.call('HGET', sizes, member)
  redis.call('ZREM', names, member)
  redis.call('ZREM', uses, member)
  redis.call('ZREM', ends, member)
  if not size then return 0 end
  redis.call('HDEL', sizes, member)
  redis.call('DECRBY', bytes, size)
  return tonumber(size)
end
`;

/**
 * Member, description, ttlMs, stored bytes, then a block's key, the block and its lifetime. Gives the entry, and what it
 * was before.
 */
export const announceScript = `${index}
local member = ARGV[3]
local before = redis.call('GET', entryOf(member))
if ARGV[7] then redis.call('SET', ARGV[7], ARGV[8], 'PX', ARGV[9]) end
local kept = stamp(member, ARGV[4], tonumber(ARGV[5]))
redis.call('ZADD', names, 0, member)
redis.call('ZADD', uses, whole(nowUs), member)
local sizeBefore = redis.call('HGET', sizes, member) or 0
redis.call('HSET', sizes, member, ARGV[6])
redis.call('INCRBY', bytes, ARGV[6] - sizeBefore)
-- Redis drops what expires by itself; its traces go a few at a time.
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', whole(nowMs), 'LIMIT', 0, 20)) do
  if not look(ended) then forget(ended) end
end
return { kept, before }
`;

/** Member, start of a block's key. Gives the entry and, where there is only one, its block. */
export const openScript = `${index}
local kept = look(ARGV[3])
if not kept then return false end
redis.call('ZADD', uses, 'XX', whole(nowUs), ARGV[3])
local upload = string.match(kept, '^%d+ %d+ {"upload":"(%x+)","packed":"[01]"')
return { kept, upload and redis.call('GET', ARGV[4] .. upload .. ':0') }
`;

/** Member. */
export const hasScript = `${index}
return look(ARGV[3]) and 1 or 0
`;

/** Lower and upper bound by name, count. Gives members with their entry and last use. */
export const pageScript = `${index}
local page = {}
for _, member in ipairs(redis.call('ZRANGEBYLEX', names, ARGV[3], ARGV[4], 'LIMIT', 0, ARGV[5])) do
  page[#page + 1] = { member, look(member), redis.call('ZSCORE', uses, member) }
end
return page
`;

/** Member. Gives what the entry was. */
export const deleteScript = `${index}
local kept = look(ARGV[3])
redis.call('DEL', entryOf(ARGV[3]))
forget(ARGV[3])
return kept
`;

/** Members. Forgets those that expired or that Redis has dropped; gives their count and size. */
export const pruneScript = `${index}
local count, freed = 0, 0
for position = 3, #ARGV do
  if not look(ARGV[position]) then
    count = count + 1
    freed = freed + forget(ARGV[position])
  end
end
return { count, freed }
`;

/** Bytes to keep, most to remove at once. Removes the least recently used; gives what they were, with sizes. */
export const evictScript = `${index}
local removed = {}
while #removed < tonumber(ARGV[4]) and tonumber(redis.call('GET', bytes) or '0') > tonumber(ARGV[3]) do
  local oldest = redis.call('ZRANGE', uses, 0, 0)[1]
  if not oldest then break end
  local kept = redis.call('GET', entryOf(oldest))
  redis.call('DEL', entryOf(oldest))
  removed[#removed + 1] = { kept, forget(oldest) }
end
return removed
`;
