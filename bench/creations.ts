import { creations } from './load/merchant-requests.ts';
import { compare, pgbench, wrk } from './load/tools.ts';
import type { Stack } from './stack.ts';

/** The rows of one creation, one transaction each, as plain prepared statements: the limit of PostgreSQL alone. */
const SAME_WRITES = (merchants: number) => `
\\set which random(1, ${merchants})
begin;
select account_id from bench_accounts where which = :which \\gset
update account_counters set balance_cents = balance_cents - 850, last_entry = last_entry + 1,
  last_shipment = last_shipment + 1, last_shipment_at = now(), amount_cents = amount_cents + 850, created = created + 1
  where account_id = :account_id returning balance_cents, last_entry, last_shipment, gen_random_uuid() as id \\gset
insert into daily_totals as d values (:account_id, current_date, 1, 850)
  on conflict (account_id, day) do update set shipments = d.shipments + 1, amount_cents = d.amount_cents + 850;
insert into idempotency_keys values (gen_random_uuid()::text, :account_id, :id);
insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, payment_mode, shipment_id)
  values (:account_id, :last_entry, 'charge', -850, :balance_cents, 'deferred', :id);
insert into events values (:account_id, gen_random_uuid(), :id, 'shipping.created', repeat('x', 800), now());
insert into shipments (account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection,
    pickup_address, delivery_address, estimated_delivery_at, platform, order_id, metadata, delivery_code, label_suffix,
    status_history, created_at, updated_at)
  values (:account_id, :id, :last_shipment, md5(random()::text), 'created', 850, 2.5, 'Vetements', false,
    '{"location":{"type":"Point","coordinates":[2.3601,48.8556]},"street":"1 rue de Rivoli","city":"Paris","postalCode":"75001","country":"France"}',
    '{"recipientName":"Camille Durand","street":"8 avenue de l Opera","city":"Paris","postalCode":"75001","country":"France","phoneNumber":"+33612345678","email":"camille@example.org","coordinates":{"latitude":48.8638,"longitude":2.3345}}',
    now(), 'api', '1', '{"cart":"1","idempotencyKey":"01a1dd15-cafa-7f47"}', '123456', md5(random()::text),
    '[{"status":"created","at":"2026-01-01T00:00:00.000Z"}]', now(), now());
insert into pgboss.job (name, data, policy) values ('follow-change', '{"accountId":"x","shipmentId":"y","status":"created","eventId":"z"}', 'standard');
commit;`;

/** POST /shipping under 64 connections beside the same writes by pgbench, both with synchronous_commit on. */
export async function benchCreations(stack: Stack, seconds: number, rounds: number): Promise<number> {
  await stack.sql('create table bench_accounts (which int primary key, account_id uuid)');
  for (const [i, { id }] of stack.merchants.entries()) {
    await stack.sql('insert into bench_accounts values ($1, $2)', [i + 1, id]);
  }
  await wrk(stack.url, creations(stack.merchants), 3); // warm up
  return compare(
    'POST /shipping (64 connections) beside the same writes by pgbench, one transaction each',
    { name: 'pgbench', run: () => pgbench(stack.databaseUrl, SAME_WRITES(stack.merchants.length), seconds, 16) },
    { name: 'API', run: () => wrk(stack.url, creations(stack.merchants), seconds) },
    rounds,
  );
}
