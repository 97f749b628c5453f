import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '../database/database.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import { mayMailLink } from '../secrets/link-mail-limits.ts';
import { hashLinkToken, newLinkToken } from '../secrets/link-token.ts';
import { savePassword } from './change-password.ts';
import { clearCodeAttempts } from './count-attempts.ts';
import type { IdentityOptions, Person } from './identity.ts';
import type { People } from './people.ts';
import { refuseGuessable } from './refuse-guessable.ts';
import { closeAllSessions } from './sessions.ts';

const LINK_MINUTES = 60;

type Options<S> = Pick<IdentityOptions<S>, 'identity' | 'db' | 'jobs'>;

/**
 * Does the same work for known and unknown addresses: the job of an unknown one finds nobody. The worker creates the
 * link, so that no job contains it. A person without a password gets none this way.
 */
export async function requestPasswordReset<S>(
  { db, jobs, identity, rateLimiter }: Options<S> & { rateLimiter: Parameters<typeof mayMailLink>[0] },
  email: string,
  clientAddress: string,
): Promise<void> {
  if (!(await mayMailLink(rateLimiter, 'reset', email, clientAddress))) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(identity.people.people)}
      where lower(email) = lower(${email}) and password_hash is not null`.execute(tx);
    await identity.notify(tx, jobs, 'reset', rows[0]?.id ?? randomUUIDv7());
  });
}

export async function createResetToken(
  db: Database,
  { passwordResets, personId: column }: People,
  personId: string,
  now: Date,
): Promise<string> {
  const { token, tokenHash } = newLinkToken('reset');
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
  await sql`
    insert into ${sql.table(passwordResets)} (token_hash, ${sql.ref(column)}, expires_at)
    values (${tokenHash}, ${personId}, ${expiresAt})`.execute(db);
  return token;
}

/** Uses up the link. Ends every session, since one of them may be the reason for the reset. */
export async function resetPassword<S>(
  { db, jobs, identity }: Options<S>,
  { token, password }: { token: string; password: string },
  now: Date,
): Promise<void> {
  const { people } = identity;
  const { personId, email, name, words } = (await findReset(db, people, token, now)) ?? refuseSignIn('LINK_GONE');
  await refuseGuessable('password', password, [email, name, ...words]);
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    const person = (await lockPerson(tx, people, personId)) ?? refuseSignIn('LINK_GONE');
    if (!(await findReset(tx, people, token, now))) refuseSignIn('LINK_GONE'); // used or invalidated meanwhile
    await savePassword(tx, people, personId, passwordHash);
    await clearCodeAttempts(tx, people, personId);
    await closeAllSessions(tx, people, personId);
    await identity.notify(tx, jobs, 'password-changed', personId);
    await identity.record(tx, { act: 'password-reset', person, by: person }, now);
  });
}

interface FoundReset {
  personId: string;
  email: string;
  name: string;
  words: string[];
}

async function findReset(
  db: Database,
  { people, passwordResets, personId: column, words }: People,
  token: string,
  now: Date,
): Promise<FoundReset | undefined> {
  const { rows } = await sql<FoundReset>`
    select p.id as "personId", p.email, p.name, ${words} as words
    from ${sql.table(passwordResets)} r join ${sql.table(people)} p on p.id = r.${sql.ref(column)}
    where r.token_hash = ${hashLinkToken(token)} and r.expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Locked first: see the lock order in features/members/require-actor.ts. */
async function lockPerson(tx: Tx, { people, accountId }: People, personId: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select p.id as "personId", ${accountId} as "accountId", p.email, p.name from ${sql.table(people)} p
    where p.id = ${personId} for no key update`.execute(tx);
  return rows[0];
}
