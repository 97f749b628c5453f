import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

interface Content {
  /** Bytes of metadata as JSON; more than today's limit is possible. */
  metadataBytes?: number;
  notesLength?: number;
}

/** Inserts delivered shipments without the API: faster, and with content that the API would refuse. */
export async function fillShipments(
  db: Database,
  accountId: string,
  many: number,
  { metadataBytes = 2, notesLength = 0 }: Content = {},
): Promise<void> {
  const text = metadataBytes > 2 ? sql`json_build_object('text', repeat('x', ${metadataBytes - 12}))` : sql`'{}'::json`;
  await sql`
    with filled as (
      insert into shipments (account_id, id, number, reference_number, status, price_cents, weight, nature, notes,
        is_collection, pickup_address, delivery_address, platform, metadata, delivery_code, label_suffix,
        status_history, created_at, updated_at)
      select ${accountId}, gen_random_uuid(), n, md5(random()::text || n), 'delivered', 850, 1, 'Livres',
        repeat('n', ${notesLength}), false, ${PICKUP}::json, ${DELIVERY}::json, 'api', ${text}, '000000',
        md5(random()::text), '[{"status":"created","at":"2026-01-01T00:00:00.000Z"}]', now(), now()
      from generate_series(1, ${many}::int) n
    )
    update account_counters set last_shipment = ${many}, delivered = ${many}, last_shipment_at = now()
    where account_id = ${accountId}`.execute(db);
}

const place = { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'France' };
const PICKUP = JSON.stringify({ location: null, ...place });
const DELIVERY = JSON.stringify({
  ...place,
  recipientName: 'Camille Durand',
  phoneNumber: '+33612345678',
  email: 'camille@example.org',
  coordinates: null,
});
