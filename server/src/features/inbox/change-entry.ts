import { type InboxChange, type InboxEntry, neededFor } from '@navette/contract';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff } from '../staff/index.ts';
import { columnsAfter, lockState, stateOf } from './inbox-states.ts';
import { findAnyEntry, present } from './list-inbox.ts';
import type { InboxContext } from './read-facts.ts';

const LONGEST_SNOOZE_MS = 7 * 86_400_000;

const PAST_TENSE = {
  take: 'inbox.taken',
  release: 'inbox.released',
  snooze: 'inbox.snoozed',
  resolve: 'inbox.resolved',
  reopen: 'inbox.reopened',
} as const;

/**
 * Takes, releases, snoozes, resolves or reopens an entry. Null when its fact has ended. The version is compared under the
 * lock of the entry's row: the second of two people is refused, with the name of the first.
 */
export async function changeAnyEntry(
  context: InboxContext,
  staff: SignedInStaff,
  key: string,
  change: InboxChange,
  now: Date,
): Promise<InboxEntry | null> {
  if (change.change === 'snooze') checkSnooze(change.until, now);
  const entry = await findAnyEntry(context, key, now);
  if (!entry) return null;
  const row = await context.db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, neededFor(entry), now);
    const before = await lockState(tx, entry, actor.name, now);
    if (before.version !== change.version) {
      const { changed_by: by, changed_at: at, last_change } = before;
      const act = PAST_TENSE[last_change as keyof typeof PAST_TENSE];
      refuseConsole('CHANGED_MEANWHILE', { by, at: at.toISOString(), change: act });
    }
    const after = await tx
      .updateTable('inbox_states')
      .set({
        ...columnsAfter(change, entry, actor, now),
        version: before.version + 1,
        changed_at: now,
        changed_by: actor.name,
        last_change: change.change,
      })
      .where('key', '=', key)
      .returningAll()
      .executeTakeFirstOrThrow();
    const { id, title } = { id: key, title: entry.subject.title };
    const details = { kind: entry.kind, ...(change.until ? { until: change.until } : {}) };
    const act = { act: PAST_TENSE[change.change], subject: { type: 'inbox', id, title }, reason: change.note, details };
    await recordOperatorAct(tx, actor, act, now);
    return after;
  });
  const [presented] = await present(context, [{ entry, row, state: stateOf(entry, row, now) }]);
  return presented ?? null;
}

function checkSnooze(until: string | undefined, now: Date): void {
  const ms = until === undefined ? Number.NaN : new Date(until).getTime() - now.getTime();
  if (ms > 0 && ms <= LONGEST_SNOOZE_MS) return;
  const msg = 'Doit être dans le futur, à sept jours au plus.';
  throw fieldErrors([{ type: 'field', msg, path: 'until', location: 'body' }]);
}
