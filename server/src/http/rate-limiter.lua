-- Counts requests in three fixed windows for each account in KEYS, all in one round trip.
-- ARGV: for each account its limits (minute, hour, day), and by how many seconds its clock is ahead of Redis's, which all
-- processes share.
-- A key holds six numbers of 32 bits: minute and its count, hour and its count, day and its count.
-- A refused request counts nowhere.
-- Returns the time in seconds, then for each account: 0 or the longest window that is used up (1, 2, 3), and its count in this minute.
local now = tonumber(redis.call('TIME')[1])
local sizes = { 60, 3600, 86400 }
local answer = { now }

for i, key in ipairs(KEYS) do
  local stored = redis.call('GET', key)
  local state = stored and { struct.unpack('<I4I4I4I4I4I4', stored) } or {}

  local exhausted = 0
  local time = now + tonumber(ARGV[4 * i])
  for w = 1, 3 do
    local window = math.floor(time / sizes[w])
    if state[2 * w - 1] ~= window then
      state[2 * w - 1] = window
      state[2 * w] = 0
    end
    if state[2 * w] >= tonumber(ARGV[4 * (i - 1) + w]) then exhausted = w end
  end

  if exhausted == 0 then
    for w = 1, 3 do state[2 * w] = state[2 * w] + 1 end
    redis.call('SET', key, struct.pack('<I4I4I4I4I4I4', unpack(state, 1, 6)), 'EX', 86400)
  end
  answer[#answer + 1] = exhausted
  answer[#answer + 1] = state[2]
end

return answer
