import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import { createSharedGauges } from '../../observability/shared-gauges.ts';

interface Figures {
  active: Record<string, number> | null;
  ended: Record<string, number> | null;
  seconds: number[] | null;
  offers: number;
}

const QUANTILES = [0.5, 0.95];
const MAX_ENDED = 1_000; // keeps the cost of a scrape the same, however busy the hour was
/** Of live accounts. Read from the tables at each scrape, so that all processes report the same figures and a restart resets none. */
export function measureDispatch(registry: Registry, db: Database, connected: () => number): void {
  const define = createSharedGauges(registry, () => read(db));
  define('driver_searches', 'Active searches, by state', ['state'], ({ active }) =>
    ['searching', 'unassigned', 'needs_location'].map((state) => [{ state }, active?.[state] ?? 0]),
  );
  define(
    'driver_searches_ended',
    'Searches that ended in the last hour, by outcome; of the latest thousand at most',
    ['outcome'],
    ({ ended }) => ['assigned', 'stopped'].map((outcome) => [{ outcome }, ended?.[outcome] ?? 0]),
  );
  define(
    'driver_search_seconds',
    'From search to assignment, of the latest thousand searches that ended in the last hour',
    ['quantile'],
    ({ seconds }) => QUANTILES.map((quantile, i) => [{ quantile }, seconds?.[i] ?? 0]),
  );
  define('driver_offers_open', 'Offers that drivers have not answered yet', [], ({ offers }) => [[{}, offers]]);
  new Gauge({
    name: 'navette_connected_drivers',
    help: 'Sockets of drivers that are open in this process',
    registers: [registry],
    collect() {
      this.set(connected());
    },
  });
}

async function read(db: Database): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with ended as (
      select state, extract(epoch from ended_at - started_at)::float8 as seconds
      from driver_searches q join accounts a on a.id = q.account_id and a.live_account_id is null
      where ended_at > now() - interval '1 hour'
      order by ended_at desc limit ${MAX_ENDED}
    )
    select (select json_object_agg(state, count) from
             (select q.state, count(*) from driver_searches q join accounts a on a.id = q.account_id
                and a.live_account_id is null where q.ended_at is null group by q.state) q) as active,
           (select json_object_agg(state, count) from (select state, count(*) from ended group by state) q) as ended,
           (select percentile_cont(${QUANTILES}::float8[]) within group (order by seconds)
            from ended where state = 'assigned') as seconds,
           (select count(*) from driver_offers o join accounts a on a.id = o.account_id and a.live_account_id is null
            where o.answer is null) as offers`.execute(db);
  return rows[0] as Figures;
}
