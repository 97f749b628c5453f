-- Adds requests to the log of one account, and forgets what is too much or too old.
-- KEYS[1]: the account's stream. ARGV: most entries, oldest instant kept, milliseconds kept, then the entries.
for i = 4, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'r', ARGV[i])
end
redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
