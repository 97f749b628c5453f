import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import { IN_HAND, type NearDriver } from '../drivers/index.ts';
import type { Candidate, Obstacle } from './plan-wave.ts';
import type { Search } from './searches.ts';

interface Facts {
  id: string;
  autoAccept: boolean;
  available: boolean;
  runs: number;
  offers: number;
  refused: boolean;
  silent: boolean;
  gaveBack: boolean;
}

/** What PostgreSQL knows of the drivers whom Redis saw near the pickup; who is unknown here is no candidate. */
export async function judgeCandidates(
  tx: Tx,
  search: Search,
  near: readonly NearDriver[],
  runsPerDriver: number,
  now: Date,
): Promise<Candidate[]> {
  if (near.length === 0) return [];
  const { rows } = await sql<Facts>`
    select d.id, d.auto_accept as "autoAccept", d.available,
           (select count(*) from shipments s where s.driver_id = d.id and s.status = any(${[...IN_HAND]})) as runs,
           (select count(*) from driver_offers o
            where o.driver_id = d.id and o.answer is null and o.expires_at > ${now}) as offers,
           exists (select from driver_offers o where o.driver_id = d.id and o.shipment_id = ${search.shipmentId}
                   and o.answer = 'refused') as refused,
           exists (select from driver_offers o where o.driver_id = d.id and o.shipment_id = ${search.shipmentId} -- by index
                   and o.search_id = ${search.id} and o.round = ${search.round} and o.answer = 'expired') as silent,
           exists (select from dispatch_decisions x
                   where x.account_id = ${search.accountId} and x.shipment_id = ${search.shipmentId}
                   and x.driver_id = d.id and x.kind in ('abandoned', 'taken away')) as "gaveBack"
    from drivers d where d.id = any(${near.map(({ driverId }) => driverId)}::uuid[]) and d.disabled_at is null`.execute(
    tx,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return near.flatMap(({ driverId, metres }) => {
    const facts = known.get(driverId);
    if (!facts) return [];
    return [{ driverId, metres, autoAccept: facts.autoAccept, obstacle: obstacleOf(facts, runsPerDriver) }];
  });
}

function obstacleOf(facts: Facts, runsPerDriver: number): Obstacle | null {
  if (!facts.available) return 'unavailable';
  if (facts.refused) return 'refused';
  if (facts.gaveBack) return 'gave it back';
  if (facts.silent) return 'did not answer';
  if (facts.runs >= runsPerDriver) return 'busy';
  // A yes to everything they are thinking about leaves no room for this one: somebody further away answers sooner.
  return facts.runs + facts.offers >= runsPerDriver ? 'asked enough' : null;
}
