import { randomUUIDv7 } from 'node:crypto';
import type { PasswordLinkPurpose } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendDriverLinkJob } from '../../jobs/definitions.ts';
import { mayMailLink } from '../../secrets/link-mail-limits.ts';

/**
 * Does the same work for known and unknown addresses: the job of an unknown one finds no driver. The worker creates the
 * link, so that no job contains it.
 */
export async function requestPasswordLink(
  { db, jobs, rateLimiter }: { db: Database; jobs: JobSender; rateLimiter: RateLimiter },
  email: string,
  clientAddress: string,
): Promise<void> {
  if (!(await mayMailLink(rateLimiter, 'driver-link', email, clientAddress))) return;
  await db.transaction().execute(async (tx) => {
    const driver = await tx
      .selectFrom('drivers')
      .select('id')
      .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
      .executeTakeFirst();
    await jobs.send(tx, sendDriverLinkJob, { driverId: driver?.id ?? randomUUIDv7(), purpose: 'reset', by: 'email' });
  });
}

/** A driver who has a password gets a link to replace it, which is valid for a shorter time. */
export const purposeFor = ({ hasPassword }: { hasPassword: boolean }): PasswordLinkPurpose =>
  hasPassword ? 'reset' : 'invitation';

/** For the operator. */
export async function sendPasswordLink(
  { db, jobs }: { db: Database; jobs: JobSender },
  driver: { id: string; hasPassword: boolean },
  by: 'sms' | 'email',
): Promise<PasswordLinkPurpose> {
  const purpose = purposeFor(driver);
  await db.transaction().execute((tx) => jobs.send(tx, sendDriverLinkJob, { driverId: driver.id, purpose, by }));
  return purpose;
}
