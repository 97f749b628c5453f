import { setTimeout as wait } from 'node:timers/promises';
import { TEST_CLOCK_MOST_DAYS, type TestClock } from '@navette/contract';
import { sql } from 'kysely';
import { accountTime, aheadOf, realTimeOf } from '../../calendar/twin-clock.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { activateShipmentJob, searchDriverJob } from '../../jobs/definitions.ts';
import { toClock } from '../accounts/index.ts';
import { createDueOccurrences } from '../recurring/index.ts';
import { activateShipment, type CreationContext } from '../shipments/index.ts';

export interface ClockContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'timeZone'>;
  creation: CreationContext;
  now: () => Date;
}

export type MoveOutcome = 'reached' | 'unfinished' | 'past' | 'too far';

const LONGEST_CALL_MS = 50_000; // proxies wait for a minute
const POLL_MS = 50;
const CACHED_MS = 600; // processes cache keys, sessions and settings for up to 500 ms
/** A search without a driver is repeated every minute for ever: the steps after these are one step, at the target. */
const STEPS_PER_SEARCH = 10;
const STEPS_PER_CALL = 200;
const AT_ONCE = 50; // jobs of one twin: live searches share the queue
const DAY_MS = 86_400_000;

const selectClock = (db: Database | Tx, twinId: string) =>
  db
    .selectFrom('accounts')
    .select(['clock_ahead_ms', 'clock_held_at', 'clock_target'])
    .where('id', '=', twinId)
    .where('live_account_id', 'is not', null);

export async function readClock({ db, now }: Pick<ClockContext, 'db' | 'now'>, twinId: string): Promise<TestClock> {
  const row = await selectClock(db, twinId).executeTakeFirstOrThrow();
  const real = now();
  const time = accountTime(toClock(row), real);
  const target = row.clock_target;
  return {
    now: time.toISOString(),
    aheadSeconds: Math.floor(aheadOf(toClock(row), real) / 1_000),
    movingTo: target && time < target ? target.toISOString() : null,
  };
}

/**
 * Moves the clock of a twin from one due instant to the next. At each one it stands still until what is due then is done,
 * so that everything happens at its own time. The state is in the database only: a call that is repeated after a crash, or
 * runs beside another one, finds what is left. The clock never goes back, except when the twin is emptied, which ends the
 * move.
 */
export async function moveClock(
  context: ClockContext,
  twinId: string,
  to: Date,
  limitMs = LONGEST_CALL_MS,
): Promise<MoveOutcome> {
  const { db } = context;
  const refusal = await setTarget(context, twinId, to);
  if (refusal) return refusal;
  const deadline = performance.now() + limitMs;
  const steps: StepCount = { ofSearch: new Map(), ofAll: 0 };
  let outcome: MoveOutcome = 'unfinished';
  while (performance.now() < deadline && (await hasSettled(db, twinId, [], deadline))) {
    const due = await readNextDue(db, twinId, to, steps);
    if (!(await stopAt(context, twinId, due ?? to, to))) return 'unfinished';
    await createRecurringDue(context, twinId, due ?? to);
    await activateDue(context, twinId, due ?? to);
    const timers = await startDueTimers(context, twinId, due ?? to, due ? steps : null);
    if (!(await hasSettled(db, twinId, timers, deadline))) break;
    if (!due && timers.length < AT_ONCE) {
      outcome = 'reached';
      break;
    }
  }
  await letRun(context, twinId, to);
  await wait(CACHED_MS);
  await rescheduleJobs(context, twinId);
  return outcome;
}

/** The call that set the target may be repeated, although the clock has gone on since. */
async function setTarget({ db, now }: ClockContext, twinId: string, to: Date): Promise<'past' | 'too far' | null> {
  return db.transaction().execute(async (tx) => {
    const row = await selectClock(tx, twinId).forNoKeyUpdate().executeTakeFirstOrThrow();
    const real = now();
    if (to.getTime() - real.getTime() > TEST_CLOCK_MOST_DAYS * DAY_MS) return 'too far';
    const target = row.clock_target;
    if (to < accountTime(toClock(row), real)) return target?.getTime() === to.getTime() ? null : 'past';
    if (!target || target < to) await saveClock(tx, twinId, { clock_target: to });
    return null;
  });
}

type ClockColumns = { clock_ahead_ms?: number; clock_held_at?: Date | null; clock_target?: Date };

const saveClock = (tx: Tx, twinId: string, columns: ClockColumns) =>
  tx.updateTable('accounts').set(columns).where('id', '=', twinId).execute();

const aheadAt = (instant: Date, real: Date) => Math.max(0, instant.getTime() - real.getTime());

/** Lets the clock stand at the instant, unless it is later already. False when the twin was emptied meanwhile. */
async function stopAt({ db, now }: ClockContext, twinId: string, instant: Date, to: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await selectClock(tx, twinId).forNoKeyUpdate().executeTakeFirst();
    if (!row?.clock_target) return false;
    const real = now();
    const current = accountTime(toClock(row), real);
    if (current > to) return true; // another call moves it further
    const at = current > instant ? current : instant;
    await saveClock(tx, twinId, { clock_held_at: at, clock_ahead_ms: aheadAt(at, real) });
    return true;
  });
}

/** From the instant at which it stands, unless another call moves it further. */
async function letRun({ db, now }: ClockContext, twinId: string, to: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await selectClock(tx, twinId).forNoKeyUpdate().executeTakeFirst();
    if (!row?.clock_held_at) return;
    const real = now();
    const at = accountTime(toClock(row), real);
    if (at > to) return;
    await saveClock(tx, twinId, { clock_held_at: null, clock_ahead_ms: aheadAt(at, real) });
  });
}

/** The steps of searches in this call. */
interface StepCount {
  ofSearch: Map<string, number>;
  ofAll: number;
}

interface Timer {
  searchId: string;
  step: number;
}

/** The first instant until `to` at which something is due. */
async function readNextDue(db: Database, twinId: string, to: Date, steps: StepCount): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from recurring_schedules
       where account_id = ${twinId} and due_at <= ${to} and refused_since is null), -- not every retry is a step
      (select min(activate_at) from shipments
       where account_id = ${twinId} and status = 'programmed' and activate_at <= ${to}),
      (select min(next_at) from driver_searches
       where account_id = ${twinId} and ended_at is null and next_at <= ${to}
         and ${steps.ofAll < STEPS_PER_CALL} and id <> all(${spentSearches(steps)}::uuid[]))) as at`.execute(db);
  return rows[0]?.at ?? null;
}

const spentSearches = ({ ofSearch }: StepCount): string[] =>
  [...ofSearch].flatMap(([id, taken]) => (taken >= STEPS_PER_SEARCH ? id : []));

async function createRecurringDue({ db, jobs, creation, config }: ClockContext, twinId: string, until: Date) {
  const due = await db
    .selectFrom('recurring_schedules')
    .select('id')
    .where('account_id', '=', twinId)
    .where('due_at', '<=', until)
    .orderBy('due_at')
    .execute();
  const context = { db, jobs, creation, timeZone: config.timeZone };
  for (const { id } of due) await createDueOccurrences(context, twinId, id);
}

/** The job of each shipment finds it activated, and does nothing. */
async function activateDue({ db, jobs, config, now }: ClockContext, twinId: string, until: Date): Promise<void> {
  const due = await db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', twinId)
    .where('status', '=', 'programmed')
    .where('activate_at', '<=', until)
    .orderBy('activate_at')
    .orderBy('number')
    .limit(AT_ONCE)
    .execute();
  for (const { id: shipmentId } of due) {
    await activateShipment(db, jobs, { accountId: twinId, shipmentId }, now(), config.timeZone);
  }
}

/** Starts the due steps of searches now. The timer of each in real time finds the step taken, and does nothing. */
async function startDueTimers(
  { db, jobs }: ClockContext,
  twinId: string,
  until: Date,
  steps: StepCount | null,
): Promise<Timer[]> {
  return db.transaction().execute(async (tx) => {
    const due = await selectTimers(tx, twinId)
      .where('next_at', '<=', until)
      .where(sql<boolean>`id <> all(${steps ? spentSearches(steps) : []}::uuid[])`)
      .orderBy('next_at')
      .limit(AT_ONCE)
      .execute();
    const jobFor = ({ shipmentId, searchId, step }: (typeof due)[number]) => ({
      payload: { accountId: twinId, shipmentId, timer: { searchId, step } },
    });
    await jobs.sendAll(tx, searchDriverJob, due.map(jobFor));
    if (steps) countSteps(steps, due);
    return due;
  });
}

function countSteps(steps: StepCount, timers: Timer[]): void {
  steps.ofAll += timers.length;
  for (const { searchId } of timers) steps.ofSearch.set(searchId, (steps.ofSearch.get(searchId) ?? 0) + 1);
}

const selectTimers = (tx: Tx, twinId: string) =>
  tx
    .selectFrom('driver_searches')
    .select(['id as searchId', 'step', 'shipment_id as shipmentId', 'next_at as nextAt'])
    .where('account_id', '=', twinId)
    .where('ended_at', 'is', null);

/**
 * Waits until the searches have taken these steps, every shipment that needs a driver has a search, and no other one has:
 * then the jobs that follow the changes are done.
 */
async function hasSettled(db: Database, twinId: string, timers: Timer[], deadline: number): Promise<boolean> {
  for (;;) {
    const { rows } = await sql<{ isSettled: boolean }>`
      select not exists (
          select from shipments s
          left join driver_searches q on (q.account_id, q.shipment_id) = (s.account_id, s.id) and q.ended_at is null
          where s.account_id = ${twinId} and s.status = 'created' and q.id is null)
        and not exists (
          select from driver_searches q join shipments s on (s.account_id, s.id) = (q.account_id, q.shipment_id)
          where q.account_id = ${twinId} and q.ended_at is null and s.status <> 'created')
        and not exists (
          select from driver_searches q
          join json_to_recordset(${JSON.stringify(timers)}) as t ("searchId" uuid, step int)
            on q.id = t."searchId" and q.step = t.step
          where q.account_id = ${twinId} and q.ended_at is null) as "isSettled"`.execute(db);
    if (rows[0]?.isSettled) return true;
    if (performance.now() > deadline) return false;
    await wait(POLL_MS);
  }
}

/** Jobs that wait are due in real time, which has changed with the clock. */
async function rescheduleJobs({ db, jobs, now }: ClockContext, twinId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await selectClock(tx, twinId).executeTakeFirst();
    if (!row) return;
    const aheadMs = aheadOf(toClock(row), now());
    const programmed = await tx
      .selectFrom('shipments')
      .select(['id', 'activate_at as activateAt'])
      .where('account_id', '=', twinId)
      .where('status', '=', 'programmed')
      .execute();
    await jobs.reschedule(
      tx,
      activateShipmentJob,
      programmed.flatMap(({ id, activateAt }) =>
        activateAt ? { singletonKey: id, startAfter: realTimeOf(activateAt, aheadMs) } : [],
      ),
    );
    const searches = await selectTimers(tx, twinId).execute();
    await jobs.sendAll(
      tx,
      searchDriverJob,
      searches.flatMap(({ shipmentId, searchId, step, nextAt }) => {
        const payload = { accountId: twinId, shipmentId, timer: { searchId, step } };
        return nextAt ? { payload, startAfter: realTimeOf(nextAt, aheadMs) } : [];
      }),
    );
  });
}
