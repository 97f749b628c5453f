import type { InboxChange, InboxEntry } from '@navette/contract';
import type { Selectable } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { InboxStates } from '../../database/tables.ts';
import type { StaffActor } from '../staff/index.ts';
import type { Entry } from './entries.ts';

/** The state that people gave an entry; null: none. */
export type InboxStateRow = Selectable<InboxStates> | null;

/**
 * The state of an entry. Resolved ends when the fact starts again, which its `since` shows. Snoozed ends by itself, and
 * leaves the entry with the person who had taken it.
 */
export function stateOf({ since }: Pick<Entry, 'since'>, row: InboxStateRow, now: Date): InboxEntry['state'] {
  if (!row) return 'open';
  if (row.resolved_at && row.since.getTime() === since.getTime()) return 'resolved';
  if (row.snoozed_until && row.snoozed_until > now) return 'snoozed';
  return row.taken_by ? 'taken' : 'open';
}

export async function readStates(db: Database, keys: string[]): Promise<Map<string, NonNullable<InboxStateRow>>> {
  if (keys.length === 0) return new Map();
  const rows = await db.selectFrom('inbox_states').selectAll().where('key', 'in', keys).execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Inserts the row if it is missing, so that there is one to lock. */
export async function lockState(tx: Tx, { key, since }: Entry, by: string, now: Date) {
  await tx
    .insertInto('inbox_states')
    .values({ key, since, changed_at: now, changed_by: by, last_change: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx.selectFrom('inbox_states').selectAll().where('key', '=', key).forUpdate().executeTakeFirstOrThrow();
}

/** The columns after a change. */
export function columnsAfter(
  { change, until, note }: Omit<InboxChange, 'version'>,
  entry: Pick<Entry, 'since'>,
  { id, name }: Pick<StaffActor, 'id' | 'name'>,
  now: Date,
) {
  const released = { taken_by: null, taken_by_name: null, taken_at: null };
  const awake = { snoozed_until: null };
  const unresolved = { resolved_at: null, resolved_by: null };
  const columns = {
    take: { taken_by: id, taken_by_name: name, taken_at: now, ...awake, ...unresolved },
    release: { ...released, ...awake, ...unresolved },
    snooze: { snoozed_until: until ? new Date(until) : null, ...unresolved },
    resolve: { resolved_at: now, resolved_by: id, ...released, ...awake },
    reopen: { ...released, ...awake, ...unresolved },
  }[change];
  return { ...columns, since: entry.since, ...(note === undefined ? {} : { note }) };
}
