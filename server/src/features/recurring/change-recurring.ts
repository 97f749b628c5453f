import { randomUUIDv7 } from 'node:crypto';
import { MAX_RECURRING, type RecurringRequest, type RecurringState } from '@navette/contract';
import { sql } from 'kysely';
import { addDays, localDay } from '../../calendar/local-calendar.ts';
import type { Tx } from '../../database/database.ts';
import { refuseAsNotFound, refuseDashboard, refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { checkFieldsTogether } from '../shipments/index.ts';
import { findSlot } from '../slots/index.ts';
import { findMissed, recordProblems } from './exceptions.ts';
import { nextOccurrences, type Rule } from './occurrences.ts';
import { currentRule, lockSchedule, type Schedule, type ScheduleContext } from './schedules.ts';

/** Returns the id, also when the key has created it before. */
export async function createRecurring(
  context: ScheduleContext,
  request: RecurringRequest,
  { creationKey, by }: { creationKey: string; by: string },
): Promise<{ id: string; replayed: boolean }> {
  const { db, account, now } = context;
  const columns = readRule(context, request);
  const id = randomUUIDv7();
  const row = { account_id: account.id, id, creation_key: creationKey, created_by: by, created_at: now, ...columns };
  return db.transaction().execute(async (tx) => {
    // Locks the account, so that concurrent requests neither exceed the limit nor use the key twice.
    await tx.selectFrom('accounts').select('id').where('id', '=', account.id).forNoKeyUpdate().execute();
    const known = await sql<{ id: string; isSame: boolean }>`
      select id, creation_key = ${creationKey} as "isSame" from recurring_schedules
      where account_id = ${account.id} and (creation_key = ${creationKey} or state <> 'ended')`.execute(tx);
    const same = known.rows.find(({ isSame }) => isSame);
    if (same) return { id: same.id, replayed: true };
    if (known.rows.length >= MAX_RECURRING) refuseDashboard('TOO_MANY_RECURRING');
    const values = { ...row, updated_at: now, settled_until: now, due_at: now };
    await tx.insertInto('recurring_schedules').values(values).execute();
    return { id, replayed: false };
  });
}

/** Occurrences that are not created yet follow the new rule. */
export async function changeRecurring(context: ScheduleContext, id: string, request: RecurringRequest): Promise<void> {
  const columns = readRule(context, request);
  await change(context, id, async (tx, schedule) => {
    await sql`
      delete from recurring_exceptions
      where account_id = ${context.account.id} and schedule_id = ${schedule.id} and kind = 'refused'
        and missed_at is null`.execute(tx);
    return { ...columns, state: schedule.state };
  });
}

export async function setRecurringState(context: ScheduleContext, id: string, state: RecurringState): Promise<void> {
  await change(context, id, async () => ({ state, ...(state === 'ended' ? { ended_at: context.now } : {}) }));
}

export async function setOccurrence(
  context: ScheduleContext,
  id: string,
  day: string,
  isSkipped: boolean,
): Promise<void> {
  const { account, now } = context;
  await change(context, id, async (tx, schedule) => {
    if (!isUpcoming(context, schedule, day)) refuseAsNotFound();
    const row = { account_id: account.id, schedule_id: schedule.id, day };
    const created = await tx
      .selectFrom('recurring_occurrences')
      .select('shipment_id')
      .where('account_id', '=', account.id)
      .where('schedule_id', '=', schedule.id)
      .where('day', '=', sql<Date>`${day}::date`)
      .executeTakeFirst();
    if (created) refuseDashboard('OCCURRENCE_CREATED');
    await sql`
      delete from recurring_exceptions
      where account_id = ${account.id} and schedule_id = ${schedule.id} and day = ${day}::date
        and (kind = 'skipped' or ${isSkipped})`.execute(tx);
    if (isSkipped) {
      await tx
        .insertInto('recurring_exceptions')
        .values({ ...row, kind: 'skipped', last_at: now })
        .execute();
    }
    return { state: schedule.state };
  });
}

/** Whether the day is an occurrence of the next year whose slot has not started. */
function isUpcoming({ account, timeZone, now }: ScheduleContext, schedule: Schedule, day: string): boolean {
  const { startsOn, endsOn, ...rule } = currentRule(schedule, account);
  if (day < startsOn || (endsOn !== null && day > endsOn) || day > addDays(localDay(now, timeZone), 366)) return false;
  return nextOccurrences({ ...rule, startsOn: day, endsOn: day }, now, 1, timeZone).length === 1;
}

type Changes = Partial<ReturnType<typeof readRule>> & { state: RecurringState; ended_at?: Date };

/**
 * Every change of a schedule: locks it, records what was missed by the rule so far, and starts afresh from now. The version
 * increases, so that a shipment which a worker has prepared from the old one is not inserted.
 */
async function change(
  { db, account, timeZone, now }: ScheduleContext,
  id: string,
  decide: (tx: Tx, schedule: Schedule) => Promise<Changes>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const schedule = (await lockSchedule(tx, account.id, id)) ?? refuseAsNotFound();
    if (schedule.state === 'ended') refuseDashboard('RECURRING_ENDED');
    await recordProblems(tx, account.id, id, await findMissed(tx, schedule, account, timeZone, now), now);
    const changes = await decide(tx, schedule);
    const isActive = changes.state === 'active';
    await tx
      .updateTable('recurring_schedules')
      .set({ ...changes, updated_at: now, settled_until: now, due_at: isActive ? now : null })
      .set(({ eb }) => ({ version: eb('version', '+', 1), ...(isActive ? {} : { refused_since: null }) }))
      .where('account_id', '=', account.id)
      .where('id', '=', id)
      .execute();
  });
}

/** Checks a request as a creation would, and returns its columns. */
function readRule({ account, timeZone, now }: ScheduleContext, request: RecurringRequest) {
  const { weekdays, timeSlot, startsOn, endsOn = null, shipment } = request;
  const invalid = checkFieldsTogether(shipment);
  if (invalid) throw invalid;
  const slot = findSlot(timeSlot, account.slots) ?? refuseWithDashboardSlug('UNKNOWN_SLOT');
  const rule: Rule = { weekdays, slotStart: slot.hours.start, startsOn, endsOn };
  if (nextOccurrences(rule, now, 1, timeZone).length === 0) refuseDashboard('NO_OCCURRENCE');
  const { scheduledDate: _date, timeSlot: _slot, ...content } = shipment as typeof shipment & Record<string, unknown>;
  return {
    weekdays: [...weekdays].sort((a, b) => a - b),
    time_slot: timeSlot,
    slot_start: slot.hours.start,
    starts_on: startsOn,
    ends_on: endsOn,
    request: JSON.stringify(content),
  };
}
