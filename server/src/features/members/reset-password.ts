import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { refuseAsTooMany } from '../../http/refusal.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { hashPassword } from '../../password.ts';
import { hashSecretToken } from '../../secret-token.ts';
import { recordAct } from './acts.ts';
import { savePassword } from './change-password.ts';
import { hashLinkToken, newLinkToken } from './link-token.ts';
import { closeAllSessions } from './member-sessions.ts';

const LINK_MINUTES = 60;
const MAILS_TO_ONE_ADDRESS = { minute: 2, hour: 5, day: 10 };
const MAILS_FROM_ONE_CLIENT = { minute: 20, hour: 100, day: 500 }; // an office behind one address

/**
 * Does the same work whether the address is known or not: the job of an unknown one finds nobody. The worker makes the
 * link, so that it stands in no job.
 */
export async function requestPasswordReset(
  { db, jobs, rateLimiter }: { db: Database; jobs: JobSender; rateLimiter: RateLimiter },
  email: string,
  clientAddress: string,
): Promise<void> {
  const { exhausted } = await rateLimiter.take(`reset-from:${clientAddress}`, MAILS_FROM_ONE_CLIENT);
  if (exhausted) refuseAsTooMany(exhausted);
  const address = email.toLowerCase();
  const { exhausted: enough } = await rateLimiter.take(`reset-to:${hashSecretToken(address)}`, MAILS_TO_ONE_ADDRESS);
  if (enough) return; // and the answer does not tell
  await db.transaction().execute(async (tx) => {
    const member = await tx
      .selectFrom('members')
      .select('id')
      .where((eb) => eb(eb.fn('lower', ['email']), '=', address))
      .executeTakeFirst();
    await jobs.send(tx, sendMemberMailJob, { kind: 'reset', id: member?.id ?? randomUUIDv7() });
  });
}

export async function makeResetToken(db: Database, memberId: string, now: Date): Promise<string> {
  const { token, tokenHash } = newLinkToken('reset');
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
  await db
    .insertInto('member_password_resets')
    .values({ token_hash: tokenHash, member_id: memberId, expires_at: expiresAt })
    .execute();
  return token;
}

/** The link opens once, whoever comes first; every session ends, since one of them may be why it was asked for. */
export async function resetPassword(
  db: Database,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    const used = await tx
      .deleteFrom('member_password_resets')
      .where('token_hash', '=', hashLinkToken(token))
      .where('expires_at', '>', now)
      .returning('member_id')
      .executeTakeFirst();
    const member = used && (await readActor(tx, used.member_id));
    if (!member) return refuseDashboard('LINK_GONE');
    await savePassword(tx, member.memberId, passwordHash);
    await closeAllSessions(tx, member.memberId);
    await recordAct(tx, member.accountId, member, 'password-reset', null, now);
  });
}

const readActor = (tx: Database, memberId: string) =>
  tx
    .selectFrom('members')
    .select(['id as memberId', 'account_id as accountId', 'name'])
    .where('id', '=', memberId)
    .executeTakeFirst();
