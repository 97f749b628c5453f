import type { FiguresBy } from '@navette/contract';
import { sql } from 'kysely';
import { daysFromTo } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { type Bucket, bucketsOf, type Period } from './period.ts';
import { addFigures, type Dimension, type Figures, noFigures } from './tally.ts';
import { FIGURES } from './write-figures.ts';

/** The figures of one key over a period. */
export interface KeyFigures {
  key: string;
  figures: Figures;
}

/** Dimensions with any number of keys. */
export type OpenDimension = Extract<FiguresBy, 'zone' | 'merchant' | 'driver'>;

const LOOKED_AT = 100; // keys per day or month

/** The figures of the whole company. */
export async function readTotal(db: Database, period: Period): Promise<Figures> {
  const [total] = await readKeys(db, 'all', bucketsOf(period), ['']);
  return total?.figures ?? noFigures();
}

export async function readPerDay(db: Database, { from, to }: Period): Promise<KeyFigures[]> {
  const { rows } = await sql<Figures & { key: string }>`
    select f.start::text as key, ${FIGURES} from figures f
    where f.dimension = 'all' and f.grain = 'day' and f.start between ${from}::date and ${to}::date`.execute(db);
  return inOrder(daysFromTo(from, to), sumUp(rows));
}

export async function readPerHour(db: Database, period: Period): Promise<KeyFigures[]> {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  return inOrder(hours, await readKeys(db, 'hour', bucketsOf(period), hours));
}

/**
 * The keys with the most runs, most first. A day or a month is read in the order of an index. Of a longer period, the
 * hundred busiest keys of each of its days and months are candidates: the number of rows depends on the period, not on how many merchants,
 * drivers or zones there are.
 */
export async function readBusiest(
  db: Database,
  by: OpenDimension,
  period: Period,
  limit: number,
): Promise<KeyFigures[]> {
  const buckets = bucketsOf(period);
  const { rows } = await sql<{ key: string }>`
    select top.key from ${asTable(buckets)} cross join lateral (
      select f.key, f.runs from figures f
      where f.dimension = ${by} and f.grain = bucket.grain and f.start = bucket.start
      order by f.runs desc, f.key limit ${LOOKED_AT}
    ) as top
    group by top.key order by sum(top.runs) desc, top.key limit ${LOOKED_AT}`.execute(db);
  const keys = rows.map(({ key }) => key);
  const read = await readKeys(db, by, buckets, keys);
  return read.toSorted((a, b) => runsOf(b.figures) - runsOf(a.figures) || (a.key < b.key ? -1 : 1)).slice(0, limit);
}

const runsOf = ({ delivered, returned, cancelled }: Figures) => delivered + returned + cancelled;

/** All keys of a period, for exports. */
export async function listKeys(db: Database, by: OpenDimension, period: Period): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct f.key from ${asTable(bucketsOf(period))}
    join figures f on f.dimension = ${by} and f.grain = bucket.grain and f.start = bucket.start
    order by f.key`.execute(db);
  return rows.map(({ key }) => key);
}

/** The figures of some keys, by the primary key: a row for each key and bucket, at most. */
export async function readKeys(
  db: Database,
  dimension: Dimension,
  buckets: Bucket[],
  keys: string[],
): Promise<KeyFigures[]> {
  const { rows } = await sql<Figures & { key: string }>`
    select f.* from ${asTable(buckets)} cross join lateral (
      select f.key, ${FIGURES} from figures f
      where f.dimension = ${dimension} and f.grain = bucket.grain and f.start = bucket.start and f.key = any(${keys})
      offset 0 -- stays a scan for each bucket
    ) as f`.execute(db);
  return sumUp(rows);
}

const asTable = (buckets: Bucket[]) =>
  sql`json_to_recordset(${JSON.stringify(buckets)}) as bucket (grain text, start date)`;

function sumUp(rows: (Figures & { key: string })[]): KeyFigures[] {
  const byKey = new Map<string, Figures>();
  for (const { key, ...figures } of rows) {
    const sum = byKey.get(key) ?? noFigures();
    addFigures(sum, figures);
    byKey.set(key, sum);
  }
  return [...byKey].map(([key, figures]) => ({ key, figures }));
}

/** One entry per key, also where nothing happened. */
function inOrder(keys: string[], read: KeyFigures[]): KeyFigures[] {
  const byKey = new Map(read.map(({ key, figures }) => [key, figures]));
  return keys.map((key) => ({ key, figures: byKey.get(key) ?? noFigures() }));
}

/** Up to which moment everything is counted. */
export async function readCountedAt(db: Database): Promise<Date> {
  const { counted_at } = await db.selectFrom('figures_state').select('counted_at').executeTakeFirstOrThrow();
  return counted_at;
}
