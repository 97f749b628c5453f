import type { RecurringContent, RecurringState } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { findSlot } from '../slots/index.ts';
import type { Rule } from './occurrences.ts';

/** The account whose schedules are read or changed. `now` is its own time. */
export interface ScheduleContext {
  db: Database;
  account: AccountSettings;
  timeZone: string;
  now: Date;
}

/** A recurring shipment as stored. */
export interface Schedule extends Rule {
  id: string;
  version: number;
  state: RecurringState;
  timeSlot: string;
  request: RecurringContent | null;
  createdBy: string | null;
  createdAt: Date;
  endedAt: Date | null;
  settledUntil: Date;
  refusedSince: Date | null;
}

/** Reads schedules of an account, newest first: ids are in the order of time. */
export async function readSchedules(
  db: Database | Tx,
  accountId: string,
  condition: RawBuilder<unknown>,
  lock = sql``,
): Promise<Schedule[]> {
  const { rows } = await sql<Schedule>`
    select id, version, state, weekdays, time_slot as "timeSlot", slot_start as "slotStart", starts_on::text as "startsOn",
           ends_on::text as "endsOn", request, created_by as "createdBy", created_at as "createdAt", ended_at as "endedAt",
           settled_until as "settledUntil", refused_since as "refusedSince"
    from recurring_schedules
    where account_id = ${accountId} and ${condition} order by id desc ${lock}`.execute(db);
  return rows;
}

export async function findSchedule(db: Database, accountId: string, id: string): Promise<Schedule | null> {
  if (!isUuid(id)) return null;
  return (await readSchedules(db, accountId, sql`id = ${id}`))[0] ?? null;
}

/** Until its transaction ends, the job creates no occurrence of it. */
export async function lockSchedule(tx: Tx, accountId: string, id: string): Promise<Schedule | null> {
  if (!isUuid(id)) return null;
  return (await readSchedules(tx, accountId, sql`id = ${id}`, sql`for update`))[0] ?? null;
}

/** The rule with the current hours of its slot. A slot that the account no longer has keeps its last hours. */
export function currentRule(schedule: Schedule, { slots }: Pick<AccountSettings, 'slots'>): Rule {
  return { ...schedule, slotStart: findSlot(schedule.timeSlot, slots)?.hours.start ?? schedule.slotStart };
}
