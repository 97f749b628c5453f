import { randomUUIDv7 } from 'node:crypto';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';

/** Who acts: a member, or the operator by their command line. */
export interface Actor {
  memberId: string | null;
  name: string | null;
}

export const OPERATOR: Actor = { memberId: null, name: null };

/** Writes down who did what, in the transaction that does it. `subject` names whom or what, never a secret. */
export async function recordAct(
  tx: Tx | Database,
  accountId: string,
  { memberId, name }: Actor,
  act: string,
  subject: string | null,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('member_acts')
    .values({ account_id: accountId, id: randomUUIDv7(), at: now, member_id: memberId, actor: name, act, subject })
    .execute();
}

const PAGE = 50;

/** The latest first; `before` is the id of the last one that was read. */
export async function listActs(db: Database, accountId: string, before: string | undefined) {
  let query = db
    .selectFrom('member_acts')
    .select(['id', 'at', 'actor', 'act', 'subject'])
    .where('account_id', '=', accountId);
  if (before !== undefined && isUuid(before)) query = query.where('id', '<', before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const acts = rows.slice(0, PAGE);
  return { acts, nextCursor: rows.length > PAGE ? (acts.at(-1)?.id ?? null) : null };
}
