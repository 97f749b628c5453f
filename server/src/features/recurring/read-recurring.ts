import {
  type Occurrence,
  type OccurrenceState,
  type Recurring,
  type RecurringSummary,
  SHOWN_OCCURRENCES,
  type ShipmentStatus,
} from '@navette/contract';
import { sql } from 'kysely';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { toEuros } from '../ledger/index.ts';
import { priceParcel } from '../rates/index.ts';
import { findSlot, resolveSchedule } from '../slots/index.ts';
import { nextOccurrences, type Occurrence as Planned } from './occurrences.ts';
import { currentRule, findSchedule, readSchedules, type Schedule, type ScheduleContext } from './schedules.ts';

const SHOWN_ENDED = 50;
const SHOWN_PAST = 50;
const SHOWN_AT_ONCE = 60; // of the next days of a list: as far as a row of skips is looked through

export async function listRecurring(context: ScheduleContext): Promise<RecurringSummary[]> {
  const { db, account } = context;
  const recent = sql`(state <> 'ended' or id in (
    select id from recurring_schedules where account_id = ${account.id} and state = 'ended'
    order by id desc limit ${SHOWN_ENDED}))`;
  const schedules = await readSchedules(db, account.id, recent);
  const marks = await readMarks(
    context,
    schedules.map(({ id }) => id),
  );
  return schedules.map((schedule) => summaryOf(context, schedule, marks.get(schedule.id) ?? new Map()));
}

export async function readRecurring(context: ScheduleContext, id: string): Promise<Recurring> {
  const { db, account } = context;
  const schedule = (await findSchedule(db, account.id, id)) ?? refuseAsNotFound();
  const marks = (await readMarks(context, [id])).get(id) ?? new Map<string, Mark>();
  return {
    ...summaryOf(context, schedule, marks),
    shipment: schedule.request,
    upcoming: planned(context, schedule, SHOWN_OCCURRENCES).map((occurrence) =>
      upcomingOf(context, schedule, occurrence, marks.get(occurrence.day)),
    ),
    past: await readPast(context, id),
    createdBy: schedule.createdBy,
    createdAt: schedule.createdAt.toISOString(),
    endedAt: schedule.endedAt?.toISOString() ?? null,
  };
}

/** An occurrence to come that is not just planned: its shipment, or why it has none. */
interface Mark {
  state: Exclude<OccurrenceState, 'planned'>;
  reason: string | null;
  shipmentId: string | null;
  referenceNumber: string | null;
  status: ShipmentStatus | null;
}

/** By schedule and day, of slots that have not started. */
async function readMarks({ db, account, now, timeZone }: ScheduleContext, scheduleIds: string[]) {
  const { rows } = await sql<Mark & { scheduleId: string; day: string }>`
    select *, o.date::text as day from (${OCCURRENCES}) o
    where o.account_id = ${account.id} and o."scheduleId" = any(${scheduleIds}::uuid[])
      and o.date >= (${now}::timestamptz at time zone ${timeZone})::date - 1`.execute(db);
  const marks = new Map<string, Map<string, Mark>>();
  for (const row of rows) {
    const own = marks.get(row.scheduleId) ?? new Map<string, Mark>();
    marks.set(row.scheduleId, own.set(row.day, row));
  }
  return marks;
}

/** Shipments, and exceptions of days that have none. */
const OCCURRENCES = sql`
  select o.account_id, o.schedule_id as "scheduleId", o.day as date, 'created' as state, null as reason,
         s.id as "shipmentId", s.reference_number as "referenceNumber", s.status, s.slot_starts_at as "startsAt"
  from recurring_occurrences o join shipments s on (s.account_id, s.id) = (o.account_id, o.shipment_id)
  union all
  select e.account_id, e.schedule_id, e.day, case when e.missed_at is null then e.kind else 'missed' end, e.reason,
         null, null, null, e.missed_at
  from recurring_exceptions e
  where not exists (select from recurring_occurrences o
                    where (o.account_id, o.schedule_id, o.day) = (e.account_id, e.schedule_id, e.day))`;

async function readPast({ db, account, now }: ScheduleContext, scheduleId: string): Promise<Occurrence[]> {
  const { rows } = await sql<Mark & { day: string }>`
    select *, o.date::text as day from (${OCCURRENCES}) o
    where o.account_id = ${account.id} and o."scheduleId" = ${scheduleId} and o.state in ('created', 'missed')
      and (o.state = 'missed' or o."startsAt" < ${now})
    order by o.date desc limit ${SHOWN_PAST}`.execute(db);
  return rows.map((row) => ({ ...occurrenceOf(row), day: row.day, startsAt: null, price: null }));
}

const occurrenceOf = (mark: Mark | undefined): Pick<Occurrence, 'state' | 'reason' | 'shipment'> => {
  if (!mark) return { state: 'planned', reason: null, shipment: null };
  const { state, reason, shipmentId, referenceNumber, status } = mark;
  const shipment = shipmentId && referenceNumber && status ? { id: shipmentId, referenceNumber, status } : null;
  return { state, reason, shipment };
};

const planned = ({ account, timeZone, now }: ScheduleContext, schedule: Schedule, count: number): Planned[] =>
  schedule.state === 'active' ? nextOccurrences(currentRule(schedule, account), now, count, timeZone) : [];

function upcomingOf(
  { account, timeZone, now }: ScheduleContext,
  { timeSlot, request }: Schedule,
  { day, startsAt }: Planned,
  mark: Mark | undefined,
): Occurrence {
  const slot = resolveSchedule({ scheduledDate: day, timeSlot }, account.slots, timeZone, now);
  const price =
    request && slot.kind === 'scheduled' && mark?.state !== 'created'
      ? toEuros(priceParcel(request.parcelDetails.weight, slot.schedule, account).cents)
      : null;
  return { ...occurrenceOf(mark), day, startsAt: startsAt.toISOString(), price };
}

function summaryOf(context: ScheduleContext, schedule: Schedule, marks: Map<string, Mark>): RecurringSummary {
  const { id, state, weekdays, timeSlot, startsOn, endsOn, request } = schedule;
  const upcoming = planned(context, schedule, SHOWN_AT_ONCE);
  const next = upcoming.find(({ day }) => marks.get(day)?.state !== 'skipped');
  const refused = upcoming.find(({ day }) => marks.get(day)?.state === 'refused');
  return {
    id,
    state,
    weekdays: [...weekdays],
    timeSlot: findSlot(timeSlot, context.account.slots)?.label ?? timeSlot,
    startsOn,
    endsOn,
    recipientName: request?.deliveryAddress.recipientName ?? null,
    city: request?.deliveryAddress.city ?? null,
    nature: request?.parcelDetails.nature ?? null,
    next: next ? { day: next.day, startsAt: next.startsAt.toISOString() } : null,
    problem: refused ? { day: refused.day, reason: marks.get(refused.day)?.reason ?? '' } : null,
  };
}
