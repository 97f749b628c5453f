import type { Database } from '../../database/database.ts';
import { listAnyWaiting } from '../approvals/index.ts';
import type { WaitingApproval } from './facts.ts';

/** Acts on any account that wait for a second person, oldest first, with the names of the accounts. */
export async function listAnyWaitingApprovals(db: Database): Promise<WaitingApproval[]> {
  const waiting = await listAnyWaiting(db);
  if (waiting.length === 0) return [];
  const ids = [...new Set(waiting.map(({ accountId }) => accountId))];
  const accounts = await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return waiting.map(({ id, act, title, amountCents, reason, requestedByName, requestedAt, accountId }) => ({
    ...{ id, act, subject: title, amountCents, reason, requestedBy: requestedByName, requestedAt, accountId },
    account: names.get(accountId) ?? '',
  }));
}
