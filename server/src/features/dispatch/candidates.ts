import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { ACTIVE_RUN_LITERALS, type NearDriver } from '../drivers/index.ts';
import type { Candidate, Obstacle } from './plan-wave.ts';
import type { Search } from './searches.ts';

/** The facts in PostgreSQL about a driver and a shipment. */
export interface DriverFacts {
  id: string;
  name: string;
  autoAccept: boolean;
  available: boolean;
  runs: number;
  offers: number;
  refused: boolean;
  silent: boolean;
  hasAbandoned: boolean;
}

/** Adds PostgreSQL's facts to the drivers that Redis found near the pickup. Unknown and disabled drivers are left out. */
export async function evaluateCandidates(
  tx: Tx,
  search: Search,
  near: readonly NearDriver[],
  runsPerDriver: number,
  now: Date,
): Promise<Candidate[]> {
  const ids = near.map(({ driverId }) => driverId);
  const known = new Map((await readDriverFacts(tx, search, ids, now)).map((facts) => [facts.id, facts]));
  return near.flatMap(({ driverId, metres }) => {
    const facts = known.get(driverId);
    if (!facts) return [];
    return [{ driverId, metres, autoAccept: facts.autoAccept, obstacle: obstacleOf(facts, runsPerDriver) }];
  });
}

/** The facts of those drivers who are known and not disabled, in any order. A twin's search knows its robots only. */
export async function readDriverFacts(
  db: Database | Tx,
  search: Pick<Search, 'id' | 'accountId' | 'shipmentId' | 'round'>,
  driverIds: string[],
  now: Date,
): Promise<DriverFacts[]> {
  if (driverIds.length === 0) return [];
  const { rows } = await sql<DriverFacts>`
    select d.id, d.first_name || ' ' || d.last_name as name, d.auto_accept as "autoAccept", d.available,
           (select count(*) from shipments s where s.driver_id = d.id and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null) as runs,
           (select count(*) from driver_offers o
            where o.driver_id = d.id and o.answer is null and o.expires_at > ${now}) as offers,
           exists (select from driver_offers o where o.driver_id = d.id and o.shipment_id = ${search.shipmentId}
                   and o.answer = 'refused') as refused,
           exists (select from driver_offers o where o.driver_id = d.id and o.shipment_id = ${search.shipmentId} -- so that the index is used
                   and o.search_id = ${search.id} and o.round = ${search.round} and o.answer = 'expired') as silent,
           exists (select from dispatch_decisions x
                   where x.account_id = ${search.accountId} and x.shipment_id = ${search.shipmentId}
                   and x.driver_id = d.id and x.kind in ('abandoned', 'taken away')) as "hasAbandoned"
    from drivers d where d.id = any(${driverIds}::uuid[]) and d.disabled_at is null
      and d.test_account_id is not distinct from
        (select id from accounts where id = ${search.accountId} and live_account_id is not null)`.execute(db);
  return rows;
}

function obstacleOf(facts: DriverFacts, runsPerDriver: number): Obstacle | null {
  if (!facts.available) return 'unavailable';
  if (facts.refused) return 'refused';
  if (facts.hasAbandoned) return 'gave it back';
  if (facts.silent) return 'did not answer';
  if (facts.runs >= runsPerDriver) return 'busy';
  // Accepting all their open offers would leave no capacity for this one: ask a driver further away, who answers sooner.
  return facts.runs + facts.offers >= runsPerDriver ? 'asked enough' : null;
}
