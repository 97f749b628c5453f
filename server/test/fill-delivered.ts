import type pg from 'pg';

/**
 * Shipments of an account, with as many rows each as a delivered one leaves: four events, two messages, five search keys,
 * three offers, four deliveries with an attempt each.
 */
export async function fillDelivered(client: pg.Client, accountId: string, many: number): Promise<void> {
  await client.query('begin'); // ids contain now(), which must be the same for all tables
  await client.query(`
    create function made(n bigint, kind int) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 20000), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
        || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
    insert into drivers (id, first_name, last_name, phone_number, available)
      select made(n, 9), 'Ana', 'Leroy', '+33612345678', false from generate_series(1, 50) n;`);
  for (const statement of ROWS) await client.query(statement, [accountId, many]);
  await client.query(
    `update account_counters set last_shipment = $2, last_shipment_at = now(), delivered = $2, amount_cents = 850 * $2::bigint,
       last_entry = $2, last_event = 4 * $2 + 4, balance_cents = -850 * $2::bigint where account_id = $1`,
    [accountId, many],
  );
  await client.query('drop function made');
  await client.query('commit');
  await client.query('vacuum analyze');
}

const EACH = 'from generate_series(1, $2::int) n';
const ADDRESS = `'{"recipientName":"Camille Durand","street":"8 avenue de l’Opéra","city":"Paris","postalCode":"75001","country":"France"}'`;
const ROWS = [
  `insert into shipments (account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection,
     pickup_address, delivery_address, platform, metadata, driver_id, delivery_code, label_suffix, status_history,
     created_at, updated_at, delivered_at)
   select $1::uuid, made(n, 0), n, 'R' || n, 'delivered', 850, 2.5, 'Livres', false, ${ADDRESS}, ${ADDRESS}, 'api', '{}',
     made(1 + n % 50, 9), '123456', md5(n::text), '[]', now(), now(), now() ${EACH}`,
  `insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id)
   select $1::uuid, n, 'charge', -850, -850 * n, made(n, 0) ${EACH}`,
  `insert into idempotency_keys (key, account_id, shipment_id) select 'order-' || n, $1::uuid, made(n, 0) ${EACH}`,
  `insert into events (account_id, id, shipment_id, type, body, created_at, feed_position)
   select $1::uuid, made(n, 10 + k), made(n, 0), (array['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered'])[k],
     repeat(md5(n::text), 24), now(), n * 4 + k ${EACH}, generate_series(1, 4) k`,
  `insert into messages (account_id, id, shipment_id, kind, channel, status, recipient, body, html, created_at, sent_at)
   select $1::uuid, made(n, 20 + k), made(n, 0), (array['recipient-sms', 'recipient-email'])[k], (array['sms', 'email'])[k], 'sent',
     'camille@example.org', repeat(md5(n::text), 10), repeat(md5(n::text), 30), now(), now() ${EACH}, generate_series(1, 2) k`,
  `insert into shipment_keys (account_id, field, key, newest_first, shipment_id)
   select $1::uuid, k, md5(n::text), -n, made(n, 0)
   ${EACH}, generate_series(1, 5) k`,
  `insert into driver_searches (id, account_id, shipment_id, state, started_at, ended_at)
   select made(n, 30), $1::uuid, made(n, 0), 'assigned', now(), now() ${EACH}`,
  `insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at,
     answer, answered_at)
   select made(n, 40 + k), made(n, 30), $1::uuid, made(n, 0), made(1 + (n + k) % 50, 9), 1, k, 100, now(), now(),
     case k when 1 then 'accepted' else 'expired' end, now() ${EACH}, generate_series(1, 3) k`,
  `insert into dispatch_decisions (account_id, shipment_id, search_id, kind, at, driver_id)
   select $1::uuid, made(n, 0), made(n, 30), 'assigned', now(), made(1 + n % 50, 9) ${EACH}`,
  `insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
   select $1::uuid, made(n, 10 + k), made(1, 50), 'delivered', 1, 1, now() ${EACH}, generate_series(1, 4) k`,
  `insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at, status)
   select $1::uuid, made(n, 10 + k), made(1, 50), 1, now(), 200 ${EACH}, generate_series(1, 4) k`,
];
