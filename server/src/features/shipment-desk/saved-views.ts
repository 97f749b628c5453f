import { randomUUIDv7 } from 'node:crypto';
import { MAX_SAVED_VIEWS, type SavedView, type SaveViewBody } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';

/** The member of the views, who has others in test mode, where the account is the test twin. */
export interface ViewOwner {
  accountId: string;
  memberId: string;
}

const COLUMNS = ['id', 'name', 'filters'] as const;

export async function listSavedViews(db: Database, { accountId, memberId }: ViewOwner): Promise<SavedView[]> {
  const views = await db
    .selectFrom('saved_views')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .orderBy('name')
    .execute();
  return views as SavedView[];
}

export async function saveView(
  db: Database,
  { accountId, memberId }: ViewOwner,
  { name, filters }: SaveViewBody,
  now: Date,
): Promise<SavedView> {
  return db.transaction().execute(async (tx) => {
    // Locks the member, so that concurrent requests cannot exceed the limit.
    await tx.selectFrom('members').select('id').where('id', '=', memberId).forNoKeyUpdate().execute();
    const view = await tx
      .insertInto('saved_views')
      .values({
        ...{ account_id: accountId, member_id: memberId, id: randomUUIDv7(), name: name.trim() },
        ...{ filters: JSON.stringify(filters), created_at: now },
      })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'member_id', 'name']).doUpdateSet({ filters: JSON.stringify(filters) }),
      )
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const { count } = await tx
      .selectFrom('saved_views')
      .select((query) => query.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow();
    if (count > MAX_SAVED_VIEWS) refuseDashboard('TOO_MANY_VIEWS');
    return view as SavedView;
  });
}

export async function deleteSavedView(db: Database, { accountId, memberId }: ViewOwner, id: string): Promise<void> {
  if (!isUuid(id)) refuseAsNotFound();
  const { numDeletedRows } = await db
    .deleteFrom('saved_views')
    .where('account_id', '=', accountId)
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuseAsNotFound();
}
