import { randomUUIDv7 } from 'node:crypto';
import { VIEW_MINUTES } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { toBytes } from '../../identity/sessions.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { newSecretToken } from '../../secrets/secret-token.ts';
import { recordAct } from '../members/index.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff } from '../staff/index.ts';
import { VIEW_TOKEN } from './view-sessions.ts';

/**
 * Starts a view of the merchant's dashboard, with an entry in the logs of both sides. A view that the same session has
 * started before ends: a browser has one cookie for it.
 */
export async function startView(
  db: Database,
  staff: SignedInStaff,
  { accountId, reason }: { accountId: string; reason: string },
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  if (!isUuid(accountId)) return refuseAsNotFound();
  const token = newSecretToken(VIEW_TOKEN);
  const expiresAt = new Date(now.getTime() + VIEW_MINUTES * 60_000);
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'support', now);
    const account = await tx
      .selectFrom('accounts')
      .select(['id', 'name', 'closed_at as closedAt'])
      .where('id', '=', accountId)
      .where('live_account_id', 'is', null)
      .executeTakeFirst();
    if (!account) return refuseAsNotFound();
    if (account.closedAt) refuseNotPossible('account_closed');
    await tx.deleteFrom('merchant_views').where('staff_session_id', '=', staff.sessionId).execute();
    await tx
      .insertInto('merchant_views')
      .values({
        id: randomUUIDv7(),
        token_hash: toBytes(token),
        staff_session_id: staff.sessionId,
        staff_role: staff.role,
        account_id: account.id,
        reason,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    const byStaff = { kind: 'operator', name: actor.name } as const;
    await recordAct(tx, account.id, byStaff, { act: 'dashboard-viewed', subject: reason }, now);
    const subject = { type: 'account', id: account.id, title: account.name };
    const details = { until: expiresAt.toISOString() };
    await recordOperatorAct(tx, actor, { act: 'account.viewed', subject, reason, details }, now);
  });
  return { token, expiresAt };
}
