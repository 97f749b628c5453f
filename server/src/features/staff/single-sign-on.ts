import { randomUUIDv7 } from 'node:crypto';
import { type Language, STAFF_ROLES, type StaffRole } from '@navette/contract';
import type { ProviderClaims } from '../../adapters/identity-provider/identity-provider.ts';
import type { Database, Tx } from '../../database/database.ts';
import { STAFF } from '../../identity/people.ts';
import { closeSession, openSession } from '../../identity/sessions.ts';
import type { Browser } from '../../identity/sign-in.ts';
import { recordOperatorAct } from './operator-log.ts';

/** The provider vouches for a person who may not use the console. */
export class NotAdmitted extends Error {}
export class WithoutRole extends NotAdmitted {}

interface Vouched {
  /** Issuer and subject, which never change. */
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  role: StaffRole;
  language: Language;
}

/** Reads the claims. A person without a known role is refused; with several, the one that allows most counts. */
export function readClaims(claims: ProviderClaims, roleClaim: string): Vouched {
  const { iss, sub, email, name, locale } = claims;
  const roles = [claims[roleClaim]].flat();
  const role = STAFF_ROLES.findLast((known) => roles.includes(known));
  if (!role) throw new WithoutRole(`the claim ${roleClaim} has no role of the console`);
  if (typeof email !== 'string' || email === '') throw new NotAdmitted('there is no claim email');
  return {
    subject: `${iss} ${sub}`,
    email,
    isEmailVerified: claims.email_verified === true,
    name: typeof name === 'string' && name !== '' ? name : email,
    role,
    language: typeof locale === 'string' && locale.startsWith('en') ? 'en' : 'fr',
  };
}

/**
 * Opens a session for a person whom the provider vouches for. The first sign-in creates the person, or takes over the one
 * with the same verified address. The role is the provider's at each sign-in. Returns the session's token.
 */
export async function signInVouched(
  db: Database,
  vouched: Vouched,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { id, name, oldRole } = (await findBySubject(tx, vouched)) ?? (await admit(tx, vouched, now));
    await tx.updateTable('staff').set({ role: vouched.role }).where('id', '=', id).execute();
    if (oldToken) await closeSession(tx, STAFF, oldToken);
    const token = await openSession(tx, STAFF, { personId: id, device, more: { by_single_sign_on: true } }, now);
    const details = {
      singleSignOn: true,
      ...(device ? { device } : {}),
      ...(oldRole === vouched.role ? {} : { from: oldRole, to: vouched.role }),
    };
    const subject = { type: 'staff', id, title: name };
    await recordOperatorAct(tx, { kind: 'staff', id, name }, { act: 'staff.signed_in', subject, details }, now);
    return token;
  });
}

const lockedStaff = (tx: Tx) =>
  tx
    .selectFrom('staff')
    .select(['id', 'name', 'role as oldRole', 'single_sign_on_subject as subject'])
    .forNoKeyUpdate();

const findBySubject = (tx: Tx, { subject }: Vouched) =>
  lockedStaff(tx).where('single_sign_on_subject', '=', subject).executeTakeFirst();

async function admit(tx: Tx, { subject, email, isEmailVerified, name, role, language }: Vouched, now: Date) {
  const id = randomUUIDv7();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('staff')
    .values({ id, email, name, role, language, single_sign_on_subject: subject, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows) return { id, name, oldRole: role };
  const same = await lockedStaff(tx)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  if (!same || (same.subject !== null && same.subject !== subject))
    throw new NotAdmitted('another person has the address');
  if (!isEmailVerified) throw new NotAdmitted('the provider has not verified the address');
  await tx.updateTable('staff').set({ single_sign_on_subject: subject }).where('id', '=', same.id).execute();
  return same;
}
