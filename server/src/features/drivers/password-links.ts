import type { PasswordLinkPurpose } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { refuseDriver } from '../../refusals/driver-refusal.ts';
import { isGuessable } from '../../secrets/guessable-password.ts';
import { hashPassword } from '../../secrets/hash-password.ts';
import { hashLinkToken, linkTo, newLinkToken } from '../../secrets/link-token.ts';
import { openSession } from './driver-sessions.ts';
import { endSessions } from './end-sessions.ts';
import { MIN_PASSWORD_LENGTH, personalWords } from './manage-drivers.ts';
import { savePassword } from './save-password.ts';

const VALID_MS: Record<PasswordLinkPurpose, number> = { invitation: 7 * 86_400_000, reset: 3_600_000 };

/** Only the hash is stored. Earlier links stay valid: a message may arrive late, after another one was requested. */
export async function createPasswordLink(
  db: Database,
  driverId: string,
  purpose: PasswordLinkPurpose,
  publicUrl: string,
  now: Date,
): Promise<string> {
  const { token, tokenHash } = newLinkToken('welcome');
  const expiresAt = new Date(now.getTime() + VALID_MS[purpose]);
  await db
    .insertInto('driver_password_links')
    .values({ token_hash: tokenHash, driver_id: driverId, purpose, created_at: now, expires_at: expiresAt })
    .execute();
  return linkTo(publicUrl, '/driver/welcome', token);
}

/** The token is the only credential. */
export async function readPasswordLink(db: Database, token: string, now: Date) {
  return (await findLink(db, token, now)) ?? refuseDriver('LINK_INVALID');
}

/**
 * Uses up the link: of two concurrent requests, one sets the password. A password invalidates every link of the driver. A
 * reset ends the other sessions, since one of them may be the reason for it.
 */
export async function usePasswordLink(
  db: Database,
  { token, password }: { token: string; password: string },
  device: string | null,
  now: Date,
): Promise<{ driverId: string; token: string; ended: string[] }> {
  const { driverId, purpose, ...person } = await readPasswordLink(db, token, now); // before hashing, which costs a core
  if (password.length < MIN_PASSWORD_LENGTH || (await isGuessable(password, personalWords(person)))) {
    refuseDriver('WEAK_PASSWORD');
  }
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    await lockDriver(tx, driverId);
    if (!(await findLink(tx, token, now))) refuseDriver('LINK_INVALID'); // used, or the driver disabled, meanwhile
    await savePassword(tx, driverId, passwordHash);
    const ended = purpose === 'reset' ? await endSessions(tx, driverId, 'all', now) : [];
    return { driverId, token: await openSession(tx, driverId, device, now), ended };
  });
}

const findLink = async (db: Database | Tx, token: string, now: Date) => {
  const link = await db
    .selectFrom('driver_password_links as l')
    .innerJoin('drivers as d', 'd.id', 'l.driver_id')
    .select(['d.id as driverId', 'd.first_name as firstName', 'd.last_name as lastName', 'd.email', 'l.purpose'])
    .where('l.token_hash', '=', hashLinkToken(token))
    .where('l.expires_at', '>', now)
    .where('d.disabled_at', 'is', null)
    .executeTakeFirst();
  return link && { ...link, purpose: link.purpose as PasswordLinkPurpose };
};

/** Lock order: the driver, then links and sessions. */
const lockDriver = (tx: Tx, driverId: string) =>
  tx.selectFrom('drivers').select('id').where('id', '=', driverId).forNoKeyUpdate().execute();
