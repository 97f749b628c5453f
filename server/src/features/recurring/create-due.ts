import { RECURRING_AHEAD_HOURS, type RecurringContent } from '@navette/contract';
import { sql } from 'kysely';
import { addDays, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { notify } from '../notifications/index.ts';
import { type CreationContext, createShipment } from '../shipments/index.ts';
import { findMissed, type Problem, readSettledDays, recordProblems } from './exceptions.ts';
import { nextOccurrences, type Occurrence, occurrencesBetween, type Rule } from './occurrences.ts';
import { currentRule, findSchedule, type Schedule } from './schedules.ts';

export interface RecurringContext {
  db: Database;
  jobs: JobSender;
  creation: CreationContext;
  timeZone: string;
}

const AHEAD_MS = RECURRING_AHEAD_HOURS * 3_600_000;
const RETRY_MS = 10 * 60_000; // a merchant who adds credit sees the shipment soon after

/**
 * Creates the shipments of one schedule whose slots start within the next 72 hours, and records those that are refused.
 * Repeatable at any point: the insert of a shipment claims its occurrence, and everything else is written afterwards.
 */
export async function createDueOccurrences(
  { db, jobs, creation, timeZone }: RecurringContext,
  accountId: string,
  scheduleId: string,
): Promise<void> {
  const schedule = await findSchedule(db, accountId, scheduleId);
  if (schedule?.state !== 'active' || !schedule.request) return;
  const account = await creation.accounts.currentSettingsOf(accountId);
  const { now } = creation.preparationContext(account);
  const rule = currentRule(schedule, account);
  const horizon = new Date(now.getTime() + AHEAD_MS + 1); // a slot that starts in exactly 72 hours is due

  const problems = await findMissed(db, schedule, account, timeZone, now);
  const wanted = occurrencesBetween(rule, now, horizon, timeZone);
  const settled = await readSettledDays(db, accountId, scheduleId, wanted);
  for (const occurrence of wanted) {
    if (settled.has(occurrence.day)) continue;
    const refused = await createOccurrence(creation, accountId, schedule, schedule.request, occurrence);
    const reason = refused && reasonOf(refused);
    if (reason === 'SETTINGS_CHANGED') return; // of the account or of the schedule: the next run uses the new ones
    if (reason) problems.push({ ...occurrence, reason });
  }
  const next = nextDue(rule, problems, { now, horizon, timeZone });
  await db.transaction().execute(async (tx) => {
    if (!(await settle(tx, accountId, schedule, problems, next, now))) return; // a member has changed it meanwhile
    await recordProblems(tx, accountId, scheduleId, problems, now);
    if (problems.length > 0 && !schedule.refusedSince) await tellMembers(tx, jobs, accountId, schedule, now);
  });
}

/** Null when it was created, now or by an earlier run. */
async function createOccurrence(
  creation: CreationContext,
  accountId: string,
  { id, version, timeSlot }: Schedule,
  request: RecurringContent,
  { day }: Occurrence,
): Promise<Refusal | null> {
  const occurrence = { scheduleId: id, day, version };
  try {
    const body = { ...request, scheduledDate: day, timeSlot };
    await createShipment(creation, accountId, body, { source: 'recurring', idempotencyKey: null, occurrence });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const reasonOf = ({ envelope, dashboardSlug }: Refusal): string =>
  typeof envelope.error === 'string' ? envelope.error : (dashboardSlug ?? 'REFUSED');

/** When there is work again: a retry, the next creation, or the end of the rule. Null when the rule has ended. */
function nextDue(rule: Rule, problems: Problem[], at: { now: Date; horizon: Date; timeZone: string }): Date | null {
  const { now, horizon, timeZone } = at;
  const [next] = nextOccurrences(rule, horizon, 1, timeZone);
  const end = rule.endsOn && startOfDateFilter(addDays(rule.endsOn, 1), timeZone);
  const times = [
    ...(problems.some(({ startsAt }) => startsAt >= now) ? [now.getTime() + RETRY_MS] : []),
    ...(next ? [next.startsAt.getTime() - AHEAD_MS] : []),
    ...(end && end > now ? [end.getTime()] : []),
  ];
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** False when the schedule has changed since it was read. */
async function settle(
  tx: Tx,
  accountId: string,
  { id, version, refusedSince }: Schedule,
  problems: Problem[],
  next: Date | null,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recurring_schedules
    set settled_until = greatest(settled_until, ${now}), due_at = ${next}, state = ${next ? 'active' : 'ended'},
        ended_at = ${next ? null : now}, refused_since = ${problems.length > 0 ? (refusedSince ?? now) : null}
    where account_id = ${accountId} and id = ${id} and version = ${version} and state = 'active'`.execute(tx);
  return numAffectedRows === 1n;
}

/** One mail per outage of the account: a lack of balance stops all its schedules. */
async function tellMembers(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  { id: target, request }: Schedule,
  now: Date,
): Promise<void> {
  const other = await tx
    .selectFrom('recurring_schedules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<>', target)
    .where('refused_since', 'is not', null)
    .executeTakeFirst();
  if (other) return;
  const title = request?.deliveryAddress.city ?? null; // not the recipient, whom an erasure would not find here
  const once = `${target} ${now.toISOString()}`; // `refused_since` makes it one per outage
  await notify(tx, jobs, accountId, { kind: 'recurring-refused', once, title, target }, now);
}
