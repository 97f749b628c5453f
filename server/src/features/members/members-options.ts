import type { MemberSessions, SignedInMember } from '../../http/member-authentication.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { IdentityOptions } from '../../identity/identity.ts';

export interface MembersOptions extends IdentityOptions<SignedInMember> {
  sessions: MemberSessions;
  /** Limits mails, and challenges of passkeys. */
  rateLimiter: RateLimiter;
  now: () => Date;
}
