import { INCIDENT_KINDS } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import { startOfDateFilter } from '../src/calendar/local-calendar.ts';
import type { Database } from '../src/database/database.ts';
import { bucketOf } from '../src/features/figures/histogram.ts';
import { type Fact, Tally } from '../src/features/figures/tally.ts';
import { addToFigures } from '../src/features/figures/write-figures.ts';

export interface CompanySize {
  days: number;
  merchants: number;
  drivers: number;
  zones: number;
}

/** Figures of a company of this size, up to today: every merchant, driver and zone has runs on every day. */
export async function fillFigures(db: Database, { days, merchants, drivers, zones }: CompanySize): Promise<void> {
  const id = sql`lpad(to_hex(n), 32, '0')::uuid::text`;
  await fillDimension(db, 'all', sql`''`, 1, days);
  await fillDimension(db, 'hour', sql`lpad((n - 1)::text, 2, '0')`, 24, days);
  await fillDimension(db, 'zone', sql`(75000 + n)::text`, zones, days);
  await fillDimension(db, 'merchant', id, merchants, days);
  await fillDimension(db, 'driver', id, drivers, days);
  await sql`update figures_state set counted_at = now()`.execute(db);
  await sql`vacuum analyze figures`.execute(db);
}

async function fillDimension(db: Database, dimension: string, key: RawBuilder<unknown>, keys: number, days: number) {
  const counts = sql`
    n % 40 + 1, n % 40 / 2, 0, 1, 850 * (n % 40), 400 * (n % 40),
    jsonb_build_object('30', n % 10, '34', n % 20, '42', 1 + n % 5),
    jsonb_build_object('55', n % 10, '60', n % 20, '66', 1 + n % 5), jsonb_build_object('damaged', n % 3)`;
  const columns = sql`
    (dimension, grain, start, key, delivered, on_time, returned, cancelled, charged_cents, pay_cents, wait, door, incidents)`;
  await sql`
    insert into figures ${columns}
    select ${dimension}, 'day', current_date - back, ${key}, ${counts}
    from generate_series(0, ${days - 1}::int) as back cross join generate_series(1, ${keys}::int) as n`.execute(db);
  await sql`
    insert into figures ${columns}
    select ${dimension}, 'month', month, ${key}, ${counts}
    from (select distinct date_trunc('month', current_date - back)::date as month
          from generate_series(0, ${days - 1}::int) as back) as months
    cross join generate_series(1, ${keys}::int) as n`.execute(db);
}

export interface SampleCompany {
  accountIds: string[];
  driverIds: string[];
  zones: string[];
  /** Local days, oldest first. */
  days: string[];
  timeZone: string;
  /** No run ends later. */
  now: Date;
}

const RUNS_PER_DAY = 180;
const HOUR_MS = 3_600_000;

/** Plausible days of a small company, the same each time: busy at noon and in the evening, slower where it is far. */
export async function addSampleFigures(db: Database, company: SampleCompany): Promise<void> {
  const { days, timeZone } = company;
  const tally = new Tally(timeZone);
  const random = createRandom();
  for (const day of days) {
    const midnight = startOfDateFilter(day, timeZone).getTime();
    for (let run = 0; run < RUNS_PER_DAY * (0.8 + 0.4 * random()); run++) {
      const fact = sampleFact(company, midnight, random);
      if (fact.at <= company.now) tally.addFact(fact);
    }
  }
  await db.transaction().execute((tx) => addToFigures(tx, tally.rows(), timeZone));
  await sql`update figures_state set counted_at = ${company.now}`.execute(db);
}

function sampleFact({ accountIds, driverIds, zones }: SampleCompany, midnight: number, random: () => number): Fact {
  const hour = random() < 0.45 ? 11 + 3 * random() : 8 + 13 * random();
  const pick = <T>(all: T[]) => all[Math.floor(all.length * random() ** 1.6)] as T;
  const far = zones.indexOf(pick(zones));
  const subject = { accountId: pick(accountIds), driverId: pick(driverIds), zone: zones[far] ?? '' };
  const at = new Date(midnight + hour * HOUR_MS);
  const luck = random();
  if (luck < 0.03) return { at, ...subject, driverId: null, figures: { cancelled: 1 } };
  if (luck < 0.05) return { at, ...subject, figures: { incidents: { [pick([...INCIDENT_KINDS])]: 1 } } };
  const wait = 60 + 500 * random() ** 2 + (hour > 12 && hour < 14 ? 240 : 0);
  const door = wait + 900 + 180 * far + 1_500 * random();
  const figures = {
    ...{ delivered: 1, onTime: door < 3_700 ? 1 : 0, chargedCents: 790 + 60 * far, payCents: 380 + 25 * far },
    ...{ wait: { [bucketOf(wait)]: 1 }, door: { [bucketOf(door)]: 1 } },
  };
  return { at, ...subject, figures };
}

/** A small generator, so that pictures and tests stay the same. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
