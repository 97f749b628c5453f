import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { createPool, withTimeLimits } from '../src/database/database.ts';
import { createAccountDirectory } from '../src/features/accounts/index.ts';
import { createRecurring } from '../src/features/recurring/change-recurring.ts';
import { recurringRequest } from './recurring.ts';
import type { TestServer } from './test-server.ts';

/** Two years with four clock changes: 28 March and 31 October 2027, 26 March and 29 October 2028. All are Sundays. */
export const FROM = new Date('2027-01-01T00:00:00Z');
export const TO = new Date('2029-01-01T00:00:00Z');
const ZONE = 'Europe/Paris';
const STEP_HOURS = 24;
const PROCESS = fileURLToPath(new URL('recurring-process.ts', import.meta.url));

const RULES = [
  { weekdays: [2], timeSlot: '10h-12h' },
  { weekdays: [1, 3, 5], timeSlot: '18h30-20h' },
  { weekdays: [6, 7], timeSlot: '2h30-4h' }, // left out in March, shown twice in October
];

export interface TestSchedule {
  id: string;
  weekdays: number[];
  /** Local time, HH:MM. */
  starts: string;
}

export async function createSchedules(server: TestServer, accountId: string): Promise<TestSchedule[]> {
  const { db, config } = server;
  const pool = createPool({ ...withTimeLimits(config), size: 1 });
  const account = await createAccountDirectory(db, pool).currentSettingsOf(accountId);
  await pool.end();
  const context = { db, account, timeZone: ZONE, now: FROM };
  const schedules: TestSchedule[] = [];
  for (const [i, rule] of RULES.entries()) {
    const request = recurringRequest({ ...rule, startsOn: '2027-01-01', endsOn: '2028-12-31' });
    const { id } = await createRecurring(context, request, { creationKey: `two-years-${i}`, by: 'Zoé Martin' });
    schedules.push({ id, weekdays: rule.weekdays, starts: ['10:00', '18:30', '02:30'][i] ?? '' });
  }
  return schedules;
}

/** Compares shipments, charges and events with the calendar, which PostgreSQL computes: it has rules of its own. */
export async function expectEveryOccurrenceOnce(
  { db }: Pick<TestServer, 'db'>,
  accountId: string,
  schedules: TestSchedule[],
): Promise<void> {
  let total = 0;
  for (const { id, weekdays, starts } of schedules) {
    const { rows: expected } = await sql<{ day: string; at: Date }>`
      select d::date::text as day,
             -- PostgreSQL takes the second of two equal local times, and the contract the first
             case when (d::date + ${starts}::time) in ('2027-10-31 02:30', '2028-10-29 02:30')
               then (d::date + ${starts}::time) at time zone ${ZONE} - interval '1 hour'
               else (d::date + ${starts}::time) at time zone ${ZONE} end as at
      from generate_series('2027-01-01'::timestamp, '2028-12-31', '1 day') d
      where extract(isodow from d) = any(${weekdays}::int[]) order by 1`.execute(db);
    const { rows: created } = await sql<{ day: string; at: Date }>`
      select s.scheduled_date::text as day, s.slot_starts_at as at
      from recurring_occurrences o join shipments s on (s.account_id, s.id) = (o.account_id, o.shipment_id)
      where o.account_id = ${accountId} and o.schedule_id = ${id} order by 1`.execute(db);
    expect(created).toEqual(expected);
    total += expected.length;
  }
  const { rows } = await sql`
    select (select count(*) from shipments where account_id = ${accountId}) as shipments,
           (select count(*) from ledger_entries where account_id = ${accountId} and kind = 'charge') as charges,
           (select count(*) from events where account_id = ${accountId} and type = 'shipping.created') as events,
           (select count(*) from recurring_exceptions where account_id = ${accountId}) as exceptions,
           (select count(*) from recurring_schedules where account_id = ${accountId} and state = 'ended') as ended`.execute(
    db,
  );
  expect(rows).toEqual([{ shipments: total, charges: total, events: total, exceptions: 0, ended: schedules.length }]);
  expect(total).toBe(104 + 313 + 210);
}

/** Runs the job from this instant on, until it is killed after so many steps and milliseconds, or ends. Returns where it came to. */
export async function runUntilKilled(
  { environment }: Pick<TestServer, 'environment'>,
  from: number,
  kill: { afterSteps: number; afterMs: number } | null,
): Promise<{ at: number; isKilled: boolean }> {
  const args = [
    '--disable-warning=DeprecationWarning',
    PROCESS,
    new Date(from).toISOString(),
    TO.toISOString(),
    String(STEP_HOURS),
  ];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let at = from;
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  let steps = 0;
  const isFarEnough = Promise.withResolvers<void>();
  lines.on('line', (line) => {
    at = Number(line);
    if (++steps === kill?.afterSteps) isFarEnough.resolve();
  });
  if (kill) {
    await Promise.race([isFarEnough.promise, ended]);
    await setTimeout(kill.afterMs);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (signal === null) expect(code).toBe(0);
  return { at, isKilled: signal === 'SIGKILL' };
}
