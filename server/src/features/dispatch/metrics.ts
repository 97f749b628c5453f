import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';

interface Figures {
  active: Record<string, number> | null;
  ended: Record<string, number> | null;
  seconds: number[] | null;
  offers: number;
}

const QUANTILES = [0.5, 0.95];
const SHARED_FOR_MS = 1_000; // the gauges of one scrape are read by one query

type Sample = [labels: Record<string, string | number>, value: number];

/** Read from the tables when asked, so that every process tells the same and a restart forgets nothing. */
export function measureDispatch(registry: Registry, db: Database, connected: () => number): void {
  let shared: { at: number; figures: Promise<Figures | null> } | undefined;
  const figures = () => {
    if (!shared || Date.now() - shared.at > SHARED_FOR_MS) {
      shared = { at: Date.now(), figures: read(db).catch(() => null) }; // without PostgreSQL other metrics still count
    }
    return shared.figures;
  };
  const define = (name: string, help: string, samples: (figures: Figures) => Sample[]) => {
    const labelNames = Object.keys(samples(NONE)[0]?.[0] ?? {});
    new Gauge({
      name: `navette_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        for (const [labels, value] of samples((await figures()) ?? NONE)) this.set(labels, value);
      },
    });
  };
  define('driver_searches', 'Searches under way, by state', ({ active }) =>
    ['searching', 'unassigned', 'needs_location'].map((state) => [{ state }, active?.[state] ?? 0]),
  );
  define('driver_searches_ended', 'Searches that ended in the last hour, by outcome', ({ ended }) =>
    ['assigned', 'stopped'].map((outcome) => [{ outcome }, ended?.[outcome] ?? 0]),
  );
  define('driver_search_seconds', 'From search to assignment, in the last hour', ({ seconds }) =>
    QUANTILES.map((quantile, i) => [{ quantile }, seconds?.[i] ?? 0]),
  );
  define('driver_offers_open', 'Offers that drivers are thinking about', ({ offers }) => [[{}, offers]]);
  define('connected_drivers', 'Sockets of drivers that are open in this process', () => [[{}, connected()]]);
}

const NONE: Figures = { active: null, ended: null, seconds: null, offers: 0 };

async function read(db: Database): Promise<Figures | null> {
  const { rows } = await sql<Figures>`
    with ended as (
      select state, extract(epoch from ended_at - started_at)::float8 as seconds
      from driver_searches where ended_at > now() - interval '1 hour'
    )
    select (select json_object_agg(state, count) from
             (select state, count(*) from driver_searches where ended_at is null group by state) q) as active,
           (select json_object_agg(state, count) from (select state, count(*) from ended group by state) q) as ended,
           (select percentile_cont(${QUANTILES}::float8[]) within group (order by seconds)
            from ended where state = 'assigned') as seconds,
           (select count(*) from driver_offers where answer is null) as offers`.execute(db);
  return rows[0] ?? null;
}
