import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { createSharedGauges } from './shared-gauges.ts';

interface Replication {
  /** Rises by one with each failover. */
  timeline: number;
  /** Connected standbys by how a commit waits for them: sync, quorum, potential or async. */
  standbys: Record<string, number>;
  lagBytes: number;
}

const SYNC_STATES = ['sync', 'quorum', 'potential', 'async'];

/** Connections of this process, and the state of replication as the primary reports it. */
export function measureDatabase(registry: Registry, pools: Record<string, pg.Pool>): void {
  new Gauge({
    name: 'navette_database_connections',
    help: 'Connections of this process, by pool: open, idle, and callers that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'open' }, totalCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  const { main } = pools;
  if (!main) return;
  const define = createSharedGauges(registry, () => readReplication(main).catch(() => null));
  define('database_up', '1 while PostgreSQL answers this process', [], (found) => [[{}, found ? 1 : 0]]);
  define('database_timeline', 'Timeline of the primary: it changes with each failover', [], (found) =>
    found ? [[{}, found.timeline]] : [],
  );
  define(
    'database_standbys',
    'Standbys connected to the primary, by state of synchronisation',
    ['sync_state'],
    (found) => SYNC_STATES.map((state) => [{ sync_state: state }, found?.standbys[state] ?? 0]),
  );
  define(
    'database_replication_lag_bytes',
    'Write-ahead log that the slowest connected standby has not replayed yet',
    [],
    (found) => (found ? [[{}, found.lagBytes]] : []),
  );
}

/** A standby whose figures this role may not see counts as async without lag: grant pg_monitor to see them. */
async function readReplication(pool: pg.Pool): Promise<Replication | null> {
  const { rows } = await pool.query<Replication>(`
    with standbys as (
      select coalesce(sync_state, 'async') as state, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as lag
      from pg_stat_replication where state = 'streaming' or state is null
    )
    select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline,
           coalesce((select json_object_agg(state, n) from (select state, count(*) as n from standbys group by 1) s), '{}')
             as standbys,
           coalesce((select max(lag) from standbys), 0)::float8 as "lagBytes"`);
  return rows[0] ?? null;
}
