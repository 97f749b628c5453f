-- Counts requests in three fixed windows for each account in KEYS, all in one round trip.
-- ARGV: for each account one text of four numbers, its limits (minute, hour, day) and by how many seconds its clock is ahead
-- of Redis's, which all processes share.
-- A key holds six numbers of 32 bits: minute and its count, hour and its count, day and its count.
-- A refused request counts nowhere.
-- Returns the time in seconds, then for each account: 0 or the longest window that is used up (1, 2, 3), and its count in this minute.
local now = tonumber(redis.call('TIME')[1])
local answer = { now }

for i, key in ipairs(KEYS) do
  local perMinute, perHour, perDay, ahead = string.match(ARGV[i], '(%d+) (%d+) (%d+) (%-?%d+)')
  local time = now + tonumber(ahead)
  local minute, hour, day = math.floor(time / 60), math.floor(time / 3600), math.floor(time / 86400)

  local stored = redis.call('GET', key)
  local lastMinute, inMinute, lastHour, inHour, lastDay, inDay
  if stored then lastMinute, inMinute, lastHour, inHour, lastDay, inDay = struct.unpack('<I4I4I4I4I4I4', stored) end
  if lastMinute ~= minute then inMinute = 0 end
  if lastHour ~= hour then inHour = 0 end
  if lastDay ~= day then inDay = 0 end

  local exhausted = 0
  if inMinute >= tonumber(perMinute) then exhausted = 1 end
  if inHour >= tonumber(perHour) then exhausted = 2 end
  if inDay >= tonumber(perDay) then exhausted = 3 end

  if exhausted == 0 then
    inMinute = inMinute + 1
    local state = struct.pack('<I4I4I4I4I4I4', minute, inMinute, hour, inHour + 1, day, inDay + 1)
    redis.call('SET', key, state, 'EX', 86400)
  end
  answer[#answer + 1] = exhausted
  answer[#answer + 1] = inMinute
end

return answer
