import type { Config } from '../../config.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { SignedInStaff, StaffSessions } from '../../http/staff-authentication.ts';
import type { IdentityOptions } from '../../identity/identity.ts';

export interface StaffOptions extends IdentityOptions<SignedInStaff> {
  sessions: StaffSessions;
  /** Limits the number of mails. */
  rateLimiter: RateLimiter;
  config: Pick<Config, 'oidc' | 'publicUrl' | 'secondFactorKeys' | 'staffPasswordSignIn' | 'timeZone'>;
  now: () => Date;
}
