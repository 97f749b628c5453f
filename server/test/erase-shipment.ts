import { sql } from 'kysely';
import { eraseShipments, type ShipmentToErase, TO_ERASE } from '../src/features/personal-data/erase-shipments.ts';
import type { TestServer } from './test-server.ts';

/** Erases the personal data of one shipment now, as the scheduled job does. */
export async function eraseShipment(
  { db }: Pick<TestServer, 'db'>,
  accountId: string,
  shipmentId: string,
  now = new Date(),
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<ShipmentToErase>`
      select ${TO_ERASE} from shipments s where s.account_id = ${accountId} and s.id = ${shipmentId}`.execute(tx);
    if (rows.length === 0) throw new Error('no such shipment');
    await eraseShipments(tx, accountId, rows, now);
  });
}
