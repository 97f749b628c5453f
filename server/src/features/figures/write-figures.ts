import { sql } from 'kysely';
import { daysFromTo, lastOfMonth, monthOf } from '../../calendar/local-calendar.ts';
import type { Tx } from '../../database/database.ts';
import { type DayRow, type Dimension, Tally } from './tally.ts';

/** One writer at a time. `lock table` comes before the snapshot of a transaction, whatever its isolation level. */
export async function lockFigures(tx: Tx): Promise<void> {
  await sql`lock table figures_state in exclusive mode`.execute(tx);
}

/** Adds rows to their days and months, in the order of the primary key. */
export async function addToFigures(tx: Tx, rows: DayRow[], timeZone: string): Promise<void> {
  await add(tx, 'day', rows);
  await add(tx, 'month', toMonths(rows, timeZone));
}

export type Grain = 'day' | 'month';

function toMonths(rows: DayRow[], timeZone: string): DayRow[] {
  const months = new Tally(timeZone);
  for (const { dimension, day, key, ...figures } of rows) months.add({ dimension, day: monthOf(day), key }, figures);
  return months.rows();
}

async function add(tx: Tx, grain: Grain, rows: DayRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into figures as f
      (dimension, grain, start, key, delivered, on_time, returned, cancelled, charged_cents, pay_cents, wait, door, incidents)
    select dimension, ${grain}, day, key, delivered, "onTime", returned, cancelled, "chargedCents", "payCents", wait, door, incidents
    from json_to_recordset(${JSON.stringify(rows)}) as row
      (dimension text, day date, key text, delivered int, "onTime" int, returned int, cancelled int, "chargedCents" bigint,
       "payCents" bigint, wait jsonb, door jsonb, incidents jsonb)
    on conflict (dimension, grain, start, key) do update set
      delivered = f.delivered + excluded.delivered, on_time = f.on_time + excluded.on_time,
      returned = f.returned + excluded.returned, cancelled = f.cancelled + excluded.cancelled,
      charged_cents = f.charged_cents + excluded.charged_cents, pay_cents = f.pay_cents + excluded.pay_cents,
      wait = add_counts(f.wait, excluded.wait), door = add_counts(f.door, excluded.door),
      incidents = add_counts(f.incidents, excluded.incidents)
  `.execute(tx);
}

/** The columns of a row, named as in `Figures`. */
export const FIGURES = sql`
  f.delivered, f.on_time as "onTime", f.returned, f.cancelled, f.charged_cents as "chargedCents",
  f.pay_cents as "payCents", f.wait, f.door, f.incidents`;

/** The rows of some days, of all dimensions. */
export async function readDays(tx: Tx, days: string[]): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select f.dimension, f.start::text as day, f.key, ${FIGURES} from figures f
    where f.dimension = any(${DIMENSIONS}) and f.grain = 'day' and f.start = any(${days}::date[])`.execute(tx);
  return rows;
}

const DIMENSIONS: Dimension[] = ['all', 'hour', 'zone', 'merchant', 'driver'];

/** Replaces a day, and computes its month again from its days. */
export async function replaceDay(tx: Tx, day: string, rows: DayRow[], timeZone: string): Promise<void> {
  await remove(tx, 'day', day);
  await add(tx, 'day', rows);
  const month = monthOf(day);
  const days = await readDays(tx, daysFromTo(month, lastOfMonth(month)));
  await remove(tx, 'month', month);
  await add(tx, 'month', toMonths(days, timeZone));
}

const remove = (tx: Tx, grain: Grain, start: string) =>
  sql`delete from figures where dimension = any(${DIMENSIONS}) and grain = ${grain} and start = ${start}::date`.execute(
    tx,
  );
