import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { type Occurrence, occurrencesBetween } from './occurrences.ts';
import { currentRule, type Schedule } from './schedules.ts';

/** An occurrence that could not be created. */
export interface Problem extends Occurrence {
  /** Slug of the refusal. */
  reason: string;
}

/** Days that need no work: created or skipped. */
export async function readSettledDays(
  db: Database | Tx,
  accountId: string,
  scheduleId: string,
  occurrences: Occurrence[],
): Promise<Set<string>> {
  const days = occurrences.map(({ day }) => day);
  const { rows } = await sql<{ day: string }>`
    select day::text as day from recurring_occurrences
    where account_id = ${accountId} and schedule_id = ${scheduleId} and day = any(${days}::date[])
    union all
    select day::text from recurring_exceptions
    where account_id = ${accountId} and schedule_id = ${scheduleId} and day = any(${days}::date[])
      and kind = 'skipped'`.execute(db);
  return new Set(rows.map(({ day }) => day));
}

/** A slot that has started keeps the reason for which its shipment was refused before. */
export async function recordProblems(
  tx: Tx,
  accountId: string,
  scheduleId: string,
  problems: Problem[],
  now: Date,
): Promise<void> {
  if (problems.length === 0) return;
  const rows = problems.map(({ day, reason, startsAt }) => ({ day, reason, missed_at: startsAt < now ? now : null }));
  await sql`
    insert into recurring_exceptions as e (account_id, schedule_id, day, kind, reason, attempts, last_at, missed_at)
    select ${accountId}, ${scheduleId}, p.day, 'refused', p.reason, (p.missed_at is null)::int, ${now}, p.missed_at
    from json_to_recordset(${JSON.stringify(rows)}) as p (day date, reason text, missed_at timestamptz)
    on conflict (account_id, schedule_id, day) do update
    set reason = case when excluded.missed_at is null then excluded.reason else e.reason end,
        attempts = e.attempts + excluded.attempts, last_at = excluded.last_at, missed_at = excluded.missed_at
    where e.kind = 'refused' and e.missed_at is null`.execute(tx);
}

/** The occurrences until now that have no shipment although nobody skipped them: no worker ran, or all were refused. */
export async function findMissed(
  db: Database | Tx,
  schedule: Schedule,
  account: Parameters<typeof currentRule>[1] & { id: string },
  timeZone: string,
  now: Date,
): Promise<Problem[]> {
  if (schedule.state !== 'active') return [];
  const passed = occurrencesBetween(currentRule(schedule, account), schedule.settledUntil, now, timeZone);
  const settled = await readSettledDays(db, account.id, schedule.id, passed);
  return passed.filter(({ day }) => !settled.has(day)).map((occurrence) => ({ ...occurrence, reason: 'SLOT_PASSED' }));
}
