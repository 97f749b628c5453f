import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { ACTIVE_RUN_LITERALS, type NearDriver } from '../drivers/index.ts';
import type { Candidate, Obstacle } from './plan-wave.ts';
import type { Search } from './searches.ts';

/** The facts in PostgreSQL about a driver, whichever shipment they are asked for. */
export interface DriverFacts {
  id: string;
  name: string;
  autoAccept: boolean;
  available: boolean;
  runs: number;
  /** Open offers. */
  offers: number;
  /** The twin whose robot this is. Its searches know its robots only, and other searches know no robots. */
  twinId: string | null;
}

/** The facts about a driver and a shipment. */
export interface DriverAnswers {
  refused: boolean;
  /** Did not answer in this round of the search. */
  silent: boolean;
  hasAbandoned: boolean;
}

const NO_ANSWERS: DriverAnswers = { refused: false, silent: false, hasAbandoned: false };

/** Without those who are unknown or disabled, by their id. */
export async function readDriverFacts(
  db: Database | Tx,
  driverIds: readonly string[],
  now: Date,
): Promise<Map<string, DriverFacts>> {
  if (driverIds.length === 0) return new Map();
  const { rows } = await sql<DriverFacts>`
    select d.id, d.first_name || ' ' || d.last_name as name, d.auto_accept as "autoAccept", d.available,
           d.test_account_id as "twinId",
           (select count(*) from shipments s where s.driver_id = d.id and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null) as runs,
           (select count(*) from driver_offers o
            where o.driver_id = d.id and o.answer is null and o.expires_at > ${now}) as offers
    from drivers d where d.id = any(${driverIds}::uuid[]) and d.disabled_at is null`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

type AskedSearch = Pick<Search, 'id' | 'accountId' | 'shipmentId' | 'round'>;

/** For each search and each of its drivers. Returns a function that finds the answers. */
export async function readDriverAnswers(
  db: Database | Tx,
  asked: { search: AskedSearch; driverIds: string[] }[],
): Promise<(searchId: string, driverId: string) => DriverAnswers> {
  if (asked.length === 0) return () => NO_ANSWERS;
  const given = asked.map(({ search: { id, accountId, shipmentId, round }, driverIds }) => ({
    ...{ id, account_id: accountId, shipment_id: shipmentId, round, driver_ids: driverIds },
  }));
  // Each is a row at most, found by index. As `exists`, PostgreSQL would read all offers once and keep them in a hash.
  const { rows } = await sql<DriverAnswers & { searchId: string; driverId: string }>`
    select g.id as "searchId", driver_id as "driverId",
           (select true from driver_offers o where o.driver_id = d.driver_id and o.shipment_id = g.shipment_id
            and o.answer = 'refused' limit 1) is not null as refused,
           (select true from driver_offers o where o.driver_id = d.driver_id and o.shipment_id = g.shipment_id -- so that the index is used
            and o.search_id = g.id and o.round = g.round and o.answer = 'expired' limit 1) is not null as silent,
           (select true from dispatch_decisions x
            where x.account_id = g.account_id and x.shipment_id = g.shipment_id
            and x.driver_id = d.driver_id and x.kind in ('abandoned', 'taken away') limit 1) is not null as "hasAbandoned"
    from json_to_recordset(${JSON.stringify(given)}) as g (id uuid, account_id uuid, shipment_id uuid, round int, driver_ids uuid[])
    cross join unnest(g.driver_ids) as d (driver_id)`.execute(db);
  const found = new Map(rows.map(({ searchId, driverId, ...answers }) => [`${searchId} ${driverId}`, answers]));
  return (searchId, driverId) => found.get(`${searchId} ${driverId}`) ?? NO_ANSWERS;
}

/** Adds the facts to a driver that Redis found near the pickup. */
export function toCandidate(
  { driverId, metres }: NearDriver,
  facts: DriverFacts,
  answers: DriverAnswers,
  runsPerDriver: number,
): Candidate {
  return { driverId, metres, autoAccept: facts.autoAccept, obstacle: obstacleOf(facts, answers, runsPerDriver) };
}

function obstacleOf(facts: DriverFacts, answers: DriverAnswers, runsPerDriver: number): Obstacle | null {
  if (!facts.available) return 'unavailable';
  if (answers.refused) return 'refused';
  if (answers.hasAbandoned) return 'gave it back';
  if (answers.silent) return 'did not answer';
  if (facts.runs >= runsPerDriver) return 'busy';
  // Accepting all their open offers would leave no capacity for this one: ask a driver further away, who answers sooner.
  return facts.runs + facts.offers >= runsPerDriver ? 'asked enough' : null;
}
