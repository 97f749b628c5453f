import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows, toFinding } from '../../audit/find-broken-rows.ts';
import { lastDays, monthOf } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import { differingRows } from './compare-rows.ts';
import { pagesOfPending } from './count-pending.ts';
import { readPendingFacts } from './read-facts.ts';
import { daysWithRows, recomputeDay } from './rebuild-figures.ts';
import { Tally } from './tally.ts';
import { readDays } from './write-figures.ts';

const DAYS = 3; // a phone's time may be 24 hours old, so an earlier day does not change any more

/** Compares the figures of the latest days with their shipments and incidents, and those of two months with their days. */
export async function auditFigures(db: Database, timeZone: string, now: Date): Promise<AuditFinding[]> {
  const differing = await inOneSnapshot(db, async (tx) => {
    const days = await daysWithRows(tx, lastDays(DAYS, timeZone, now), timeZone);
    const counted = await readWithPending(tx, days, timeZone);
    const computed = [];
    for (const day of days) computed.push(...(await recomputeDay(tx, day, timeZone)));
    return differingRows(counted, computed);
  });
  return [
    toFinding('the figures of the latest days agree with the shipments and incidents', differing),
    ...(await auditMonths(db, [...new Set(lastDays(31, timeZone, now).map(monthOf))])),
  ];
}

/** In one snapshot, each run and incident is either pending or counted. */
const inOneSnapshot = <T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

/** The rows of some days, with what is not counted yet. */
async function readWithPending(tx: Tx, days: string[], timeZone: string) {
  const tally = new Tally(timeZone);
  for (const { dimension, day, key, ...figures } of await readDays(tx, days))
    tally.add({ dimension, day, key }, figures);
  for await (const pending of pagesOfPending(tx)) {
    for (const fact of await readPendingFacts(tx, pending, timeZone)) tally.addFact(fact);
  }
  return tally.rows().filter(({ day }) => days.includes(day));
}

const auditMonths = (db: Database, months: string[]): Promise<AuditFinding[]> =>
  findBrokenRows(db, {
    'the figures of a month are the sum of its days': sql`
      select concat_ws(' ', month, dimension, key) as broken
      from (
        select date_trunc('month', start)::date as month, dimension, key,
               (sum(delivered) filter (where grain = 'day'), sum(runs) filter (where grain = 'day'),
                sum(charged_cents) filter (where grain = 'day'), sum(pay_cents) filter (where grain = 'day'))
               is distinct from
               (sum(delivered) filter (where grain = 'month'), sum(runs) filter (where grain = 'month'),
                sum(charged_cents) filter (where grain = 'month'), sum(pay_cents) filter (where grain = 'month')) as differs
        from unnest(${months}::date[]) as m (first)
        join figures on start >= m.first and start < m.first + interval '1 month'
        where dimension in ('all', 'hour', 'zone', 'merchant', 'driver')
        group by 1, 2, 3
      ) as total where differs`,
  });
