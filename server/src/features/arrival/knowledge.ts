import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { Calibration } from './estimate-arrival.ts';
import { calibrate } from './measure-arrivals.ts';
import { cellKey, type LearnedLegs, type LegSums } from './pace.ts';

const CALIBRATION_DAYS = 14;

/** All that the nights have taught: a row for each postal code and hour with deliveries, some thousands. */
export async function readKnowledge(db: Database): Promise<{ learned: LearnedLegs; calibration: Calibration }> {
  const [learned, days] = await Promise.all([readLegs(db), readDays(db, CALIBRATION_DAYS)]);
  return { learned, calibration: calibrate(days) };
}

export async function readLegs(db: Database): Promise<Map<string, LegSums>> {
  const rows = await db.selectFrom('arrival_legs').select(['zone', 'hour', 'sums']).execute();
  return new Map(rows.map(({ zone, hour, sums }) => [cellKey(zone, hour), fromList(sums)]));
}

const LEAST_LEGS = 0.05; // a cell whose last leg is weeks old: it teaches nothing any more

/** Replaces all cells. */
export async function writeLegs(tx: Tx, learned: LearnedLegs): Promise<void> {
  const cells = [...learned].flatMap(([key, sums]) => {
    const [zone, hour] = key.split(' ');
    return sums.legs < LEAST_LEGS ? [] : [{ zone, hour: Number(hour), sums: toList(sums) }];
  });
  await sql`delete from arrival_legs`.execute(tx);
  await sql`insert into arrival_legs (zone, hour, sums)
    select zone, hour, sums from json_to_recordset(${JSON.stringify(cells)})
    as cells (zone text, hour smallint, sums double precision[])`.execute(tx);
}

const NAMES = ['legs', 'w', 'd', 'dd', 't', 'dt', 'tt'] as const satisfies (keyof LegSums)[];
const toList = (sums: LegSums) => NAMES.map((name) => sums[name]);
const fromList = (list: number[]) =>
  Object.fromEntries(NAMES.map((name, i) => [name, list[i] ?? 0])) as unknown as LegSums;

export interface ArrivalDay extends Calibration {
  day: string;
  legs: number;
  measured: number;
  inside: number;
  medianErrorMinutes: number | null;
  medianWidthMinutes: number | null;
}

/** The last days that were learned, newest first. */
export const readDays = (db: Database, most: number): Promise<ArrivalDay[]> =>
  db
    .selectFrom('arrival_days')
    .select(sql<string>`day::text`.as('day'))
    .select(['legs', 'measured', 'inside', 'early', 'late'])
    .select(['median_error_minutes as medianErrorMinutes', 'median_width_minutes as medianWidthMinutes'])
    .orderBy('arrival_days.day', 'desc')
    .limit(most)
    .execute();
