import type { Place } from '@navette/contract/driver-stop-order';
import { sql } from 'kysely';
import { endOfDateFilter, lastDays, localHour, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { zoneOf } from '../../geography/zone-of.ts';
import { readLegs, writeLegs } from './knowledge.ts';
import { legsOf } from './legs.ts';
import { JUDGED_BEFORE_MS, measureArrivals, type Outcome } from './measure-arrivals.ts';
import { addDay, sumLegs } from './pace.ts';

const MOST_DAYS = 7; // that are made up for after an outage
const NOTED_EVERY_MS = 5 * 60_000;

type Context = { db: Database; config: Pick<Config, 'arrival' | 'timeZone'> };

/** Learns the deliveries of yesterday, and of earlier days that were missed. Reads no older ones. */
export async function learnArrivals({ db, config }: Context, now: Date): Promise<void> {
  const days = lastDays(MOST_DAYS + 1, config.timeZone, now).slice(0, -1);
  for (const day of days) await learnDay({ db, config }, day);
  const before = startOfDateFilter(days.at(-1) as string, config.timeZone);
  await db.deleteFrom('arrival_forecasts').where('noted_at', '<', before).execute();
}

/** One transaction, which begins with the day's row: a day is learned once, also when two workers try. */
async function learnDay({ db, config }: Context, day: string): Promise<void> {
  const { arrival, timeZone } = config;
  const hourOf = (at: number) => Number(localHour(new Date(at), timeZone));
  await db.transaction().execute(async (tx) => {
    await sql`lock table arrival_legs in exclusive mode`.execute(tx);
    if (await isLearned(tx, day)) return;
    const runs = await listAnyDelivered(tx, startOfDateFilter(day, timeZone), endOfDateFilter(day, timeZone));
    const legs = legsOf(
      runs.filter(({ pickedUpAt }) => pickedUpAt !== null),
      hourOf,
    );
    const { measured, inside, medianErrorMinutes, medianWidthMinutes, early, late } = measureArrivals(
      runs.flatMap(outcomeOf),
    );
    await sql`insert into arrival_days values (${day}, ${legs.length}, ${measured}, ${inside},
      ${medianErrorMinutes}, ${medianWidthMinutes}, ${early}, ${late})`.execute(tx);
    await writeLegs(tx, addDay(await readLegs(tx), sumLegs(arrival, legs)));
  });
}

const isLearned = async (tx: Tx, day: string) =>
  (await sql`select from arrival_days where day = ${day}`.execute(tx)).rows.length > 0;

interface Delivered {
  driverId: string;
  pickedUpAt: Date;
  deliveredAt: Date;
  pickup: Place | null;
  delivery: Place | null;
  zone: string;
  /** Newest first; null without any. */
  forecasts: (Record<'at' | 'from' | 'until' | 'expected', string> & { spread: number })[] | null;
}

/** The one that was current a quarter of an hour before. */
function outcomeOf({ forecasts, deliveredAt }: Delivered): Outcome[] {
  const judgedAt = deliveredAt.getTime() - JUDGED_BEFORE_MS;
  const shown = (forecasts ?? []).find(({ at }) => Date.parse(at) <= judgedAt);
  if (!shown || Date.parse(shown.at) < judgedAt - 2 * NOTED_EVERY_MS) return [];
  const [from, until, expected] = [new Date(shown.from), new Date(shown.until), new Date(shown.expected)];
  return [{ shown: { from, until, expected, spread: shown.spread }, deliveredAt }];
}

const ENDED_AT = sql`greatest(s.delivered_at, s.cancelled_at, s.returned_at)`; // uses the index shipments_by_end

/** Deliveries of a day, of any live account. Erased and returned parcels have no place. */
async function listAnyDelivered(tx: Tx, from: Date, before: Date): Promise<Delivered[]> {
  const { rows } = await sql<
    Omit<Delivered, 'pickup' | 'zone'> & { from: [number, number] | null; postalCode: string }
  >`
    select s.driver_id as "driverId", s.picked_up_at as "pickedUpAt", s.delivered_at as "deliveredAt",
      s.pickup_address #> '{location,coordinates}' as "from", s.delivery_address -> 'coordinates' as delivery,
      s.delivery_address ->> 'postalCode' as "postalCode", f.forecasts
    from shipments s join accounts live on live.id = s.account_id and live.live_account_id is null
    left join arrival_forecasts f on (f.account_id, f.shipment_id) = (s.account_id, s.id)
    where ${ENDED_AT} is not null and ${ENDED_AT} >= ${from} and ${ENDED_AT} < ${before}
      and s.delivered_at is not null and s.driver_id is not null`.execute(tx);
  return rows.map(({ from: place, postalCode, ...run }) => ({
    ...run,
    pickup: place && { longitude: place[0], latitude: place[1] },
    zone: zoneOf(postalCode),
  }));
}
