import { randomUUIDv7 } from 'node:crypto';
import { TEST_NAMES } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isTestName } from '../../text/test-name.ts';
import { ACTIVE_RUN_LITERALS } from './active-runs.ts';
import type { NearDriver } from './positions.ts';

const MOST_ROBOTS = 500; // of one twin: shipments under way at the same time; more wait, as without drivers
const METRES = 300; // where a robot waits for runs
const PHONE = '+33199000000'; // of a range that is reserved for fiction

/**
 * A robot courier of the twin that is free for this shipment; creates one when all are busy. Also wakes the couriers that
 * deliver by themselves. Empty for a recipient name that asks for no driver.
 */
export async function findRobots(db: Database, twinId: string, shipmentId: string): Promise<NearDriver[]> {
  const { rows } = await sql<{ name: string }>`
    select delivery_address->>'recipientName' as name from shipments
    where account_id = ${twinId} and id = ${shipmentId}`.execute(db);
  if (isTestName(rows[0]?.name ?? '', TEST_NAMES.noDriver)) return [];
  await sql`update test_couriers set next_at = now() where account_id = ${twinId} and mode = 'auto'`.execute(db);
  const robot = (await findFree(db, twinId, shipmentId)) ?? (await createRobot(db, twinId));
  return robot ? [{ driverId: robot, metres: METRES }] : [];
}

async function findFree(db: Database, twinId: string, shipmentId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select d.id from drivers d
    where d.test_account_id = ${twinId} and d.disabled_at is null
      and not exists (select from shipments s where s.driver_id = d.id
        and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null)
      and not exists (select from driver_offers o where o.driver_id = d.id and o.answer is null
        and o.shipment_id <> ${shipmentId})
      and not exists (select from driver_offers o where o.driver_id = d.id and o.shipment_id = ${shipmentId}
        and o.answer in ('refused', 'accepted'))
    order by d.id limit 1`.execute(db);
  return rows[0]?.id;
}

async function createRobot(db: Database, twinId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into drivers (id, first_name, last_name, phone_number, available, test_account_id)
    select ${randomUUIDv7()}, 'Robot', (count(*) + 1)::text, ${PHONE}, true, ${twinId}
    from drivers where test_account_id = ${twinId} having count(*) < ${MOST_ROBOTS}
    returning id`.execute(db);
  return rows[0]?.id;
}
