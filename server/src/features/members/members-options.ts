import type { Database } from '../../database/database.ts';
import type { MemberSessions } from '../../http/dashboard-door.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { SecretSealer } from '../../secret-sealer.ts';

export interface MembersOptions {
  db: Database;
  jobs: JobSender;
  sessions: MemberSessions;
  /** Of second factors. */
  sealer: SecretSealer;
  /** Keeps letters from being sent by the hundred. */
  rateLimiter: RateLimiter;
  now: () => Date;
}
