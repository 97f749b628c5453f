import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { STAFF } from '../../identity/people.ts';
import { refuseGuessable } from '../../identity/refuse-guessable.ts';
import { closeSession, openSession } from '../../identity/sessions.ts';
import type { Browser } from '../../identity/sign-in.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { hashPassword } from '../../secrets/hash-password.ts';
import { findStaffInvitationByToken } from './invitations.ts';
import { recordOperatorAct } from './operator-log.ts';

interface Acceptance {
  token: string;
  name: string;
  password: string;
  language: Language;
}

/** Uses up the link: of two concurrent requests, one creates the person. Returns the token of the first session. */
export async function acceptStaffInvitation(
  db: Database,
  { token, name, password, language }: Acceptance,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  const invited = (await findStaffInvitationByToken(db, token, now)) ?? refuseConsole('LINK_GONE');
  await refuseGuessable('password', password, [invited.email, name]);
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const { id, email, role } = (await findStaffInvitationByToken(tx, token, now)) ?? refuseConsole('LINK_GONE');
    const used = await tx.deleteFrom('staff_invitations').where('id', '=', id).executeTakeFirst();
    if (used.numDeletedRows === 0n) refuseConsole('LINK_GONE');
    const staffId = randomUUIDv7();
    const created = await tx
      .insertInto('staff')
      .values({ id: staffId, email, name, role, language, password_hash: passwordHash, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!created.numInsertedOrUpdatedRows) refuseConsole('EMAIL_TAKEN');
    if (oldToken) await closeSession(tx, STAFF, oldToken);
    const session = await openSession(tx, STAFF, { personId: staffId, device }, now);
    const subject = { type: 'staff', id: staffId, title: name };
    await recordOperatorAct(
      tx,
      { kind: 'staff', id: staffId, name },
      { act: 'staff.joined', subject, details: { role } },
      now,
    );
    return session;
  });
}
