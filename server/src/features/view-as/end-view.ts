import type { Database } from '../../database/database.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';
import { recordOperatorAct } from '../staff/index.ts';

/** Ends the view, with an entry in the log of acts. A request that is sent again finds none, and writes none. */
export async function endView(
  db: Database,
  { memberId, name, accountId, accountName, sessionId }: SignedInMember,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('merchant_views').where('id', '=', sessionId).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const subject = { type: 'account', id: accountId, title: accountName };
    const actor = { kind: 'staff', id: memberId, name } as const;
    await recordOperatorAct(tx, actor, { act: 'account.view_ended', subject }, now);
  });
}
