-- Adds requests to the log of one account, and trims it by count and by age.
-- KEYS[1]: the account's stream. ARGV: maximum of entries, oldest timestamp to keep, TTL in milliseconds, then the entries.
for i = 4, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'r', ARGV[i])
end
redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
