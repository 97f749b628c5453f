import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Rows of each table that `fillTables` fills. */
export const FILLED = 60_000;
const ACCOUNTS = 50;
const DRIVERS = 50;
const RECENT = 150; // latest rows: active runs, active searches, messages not yet erased
const LINES_PER_IMPORT = 5_000;

/** The id of row `n` of any table: shipment 7, its search and its first event have the same. */
export const idOf = (n: number): string => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`;

/** The account that has half of everything. */
export const LARGE_ACCOUNT = idOf(1);

const n = sql.raw('n');
const id = (of: RawBuilder<unknown>) => sql`lpad(to_hex((${of})::int), 32, '0')::uuid`;
const account = id(sql`case when n % 2 = 0 then 1 else 1 + n % ${sql.lit(ACCOUNTS)} end`);
const driver = id(sql`1 + n % ${sql.lit(DRIVERS)}`);
const isRecent = sql`n > ${sql.lit(FILLED - RECENT)}`;
const endedYesterday = sql`n % 1000 = 1 and not ${isRecent}`; // of the shipments; all others were erased long ago
const series = (rows = FILLED) => sql`generate_series(1, ${sql.lit(rows)}) as n`;

/**
 * Large tables in which nearly every row is finished, as after months of operation: the case for partial indexes. One
 * statement per table.
 */
export async function fillTables(db: Database): Promise<void> {
  for (const fill of FILLS) await fill.execute(db);
  // Every row is sampled: where two plans cost about the same, a random sample would decide differently once in twenty times.
  await db.transaction().execute(async (tx) => {
    await sql`set local default_statistics_target = 1000`.execute(tx);
    await sql`analyze`.execute(tx);
  });
}

const FILLS = [
  sql`insert into accounts (id, client_id, name, email, limit_per_minute, limit_per_hour, limit_per_day)
    select ${id(n)}, 'client ' || n, 'Shop', 'shop@example.org', 1, 1, 1 from ${series(ACCOUNTS)}`,
  sql`insert into account_counters (account_id, last_shipment) select id, ${sql.lit(FILLED)} from accounts`,
  sql`insert into drivers (id, first_name, last_name, phone_number, available)
    select ${id(n)}, 'Ana', 'Leroy', '+33612345678', true from ${series(DRIVERS)}`,
  sql`insert into driver_sessions (token_hash, driver_id, created_at, closed_at)
    select decode(lpad(to_hex(n), 64, '0'), 'hex'), ${driver}, now(), case when not ${isRecent} then now() end from ${series()}`,
  sql`insert into shipments (account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection,
      group_reference, pickup_address, delivery_address, platform, metadata, driver_id, delivery_code, label_suffix,
      needs_location, status_history, created_at, updated_at, delivered_at, personal_data_erased_at)
    select ${account}, ${id(n)}, n, 'R' || n,
      case when n % 10000 = 0 then 'created' when ${isRecent} then (array['assigned', 'picked_up', 'in_transit'])[1 + n % 3]
           else 'delivered' end,
      850, 2.5, 'Books', n % 500 = 0, case when n % 100 = 0 then 'GROUP-' || n / 1000 end, '{}',
      '{"recipientName": "Zoé", "street": "", "city": "Paris", "postalCode": "75001", "country": "France"}', 'api', '{}',
      case when n % 10000 <> 0 then ${driver} end, case when ${isRecent} or ${endedYesterday} then '123456' end, '',
      n % 10000 = 0, '[]', now(), now(),
      case when not ${isRecent} then now() - case when ${endedYesterday} then interval '1 day' else interval '2 years' end end,
      case when not ${isRecent} and not (${endedYesterday}) then now() - interval '1 year' end from ${series()}`,
  sql`insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id)
    select account_id, number, 'charge', -price_cents, 0, id from shipments`,
  sql`insert into events (account_id, id, shipment_id, type, body, created_at, feed_position)
    select ${account}, ${id(n)}, ${id(n)}, 'shipping.created', '{}', now(), n from ${series(FILLED / 2)}
    union all
    select ${account}, ${id(sql`n + ${sql.lit(FILLED)}`)}, ${id(n)}, 'shipping.delivered', '{}', now(),
      n + ${sql.lit(FILLED)} from ${series(FILLED / 2)}`,
  sql`insert into approvals (id, act, account_id, shipment_id, subject_title, shipment_version, reason, requested_by,
      requested_by_name, requested_at, state, decided_by, decided_by_name, decided_at)
    select id, 'shipment.delivery_confirmed', account_id, id, reference_number, '1.0', '', ${id(sql`1`)}, '', now(),
      case when ${isRecent} then 'waiting' else 'declined' end, case when not ${isRecent} then ${id(sql`2`)} end,
      case when not ${isRecent} then '' end, case when not ${isRecent} then now() end
    from (select *, number as n from shipments) s`,
  // A few webhooks fail, are paused, or have another secret; the others are fine.
  sql`insert into webhooks (account_id, id, url, events, secret_key, sealed_secret, is_active, failing_since, paused_at,
      pause_reason, next_secret_key, next_sealed_secret, next_secret_at, previous_secret_key, previous_sealed_secret,
      secret_changed_at)
    select ${account}, ${id(n)}, 'https://shop.example/' || n, array['shipping.created'], 'key', '', n % 10000 <> 1,
      case when n % 10000 in (0, 1) then now() - interval '1 day' end, case when n % 10000 = 1 then now() end,
      case when n % 10000 = 1 then 'failing' end, case when n % 10000 = 2 then 'key' end,
      case when n % 10000 = 2 then ''::bytea end, case when n % 10000 = 2 then now() + interval '1 year' end,
      case when n % 10000 = 3 then 'key' end, case when n % 10000 = 3 then ''::bytea end,
      case when n % 10000 = 3 then now() end from ${series()}`,
  sql`insert into webhook_resends (account_id, id, webhook_id, scope, since, until, state, position, last_event, created_at,
      finished_at)
    select ${account}, ${id(n)}, ${id(n)}, 'lost', now(), now(), case when n % 10000 = 0 then 'running' else 'done' end,
      ${id(n)}, ${id(n)}, now(), case when n % 10000 <> 0 then now() end from ${series()}`,
  // Two webhooks of the large account receive every event; a few deliveries are pending or dropped.
  sql`insert into webhook_deliveries (account_id, event_id, webhook_id, status, settled_at)
    select account_id, id, webhook, status, case when status <> 'pending' then now() end
    from events, lateral (values (${idOf(1)}::uuid), (${idOf(2)}::uuid)) as w (webhook), lateral (select case
      when id < ${idOf(10)}::uuid then 'pending' when id < ${idOf(20)}::uuid then 'dropped' else 'delivered' end) as s (status)
    where account_id = ${LARGE_ACCOUNT}::uuid`,
  sql`insert into driver_searches (id, account_id, shipment_id, state, started_at, spent_at, ended_at)
    select ${id(n)}, ${account}, ${id(n)}, case when ${isRecent} then 'searching' else 'assigned' end,
      now() - interval '1 year', case when n % 10 = 0 then now() - interval '1 hour' end, case when not ${isRecent} then now() - n * interval '1 minute' end from ${series()}`,
  sql`insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at,
      expires_at, answer, answered_at)
    select ${id(n)}, ${id(n)}, ${account}, ${id(n)}, ${driver}, 1, 1, 100, now(), now() + interval '1 hour',
      case when not ${isRecent} then 'accepted' end, case when not ${isRecent} then now() end from ${series()}`,
  sql`insert into dispatch_decisions (account_id, shipment_id, search_id, kind, at, driver_id)
    select ${account}, ${id(n)}, ${id(n)}, case when n % 100 = 0 then 'abandoned' else 'assigned' end, now(),
      ${id(sql`1 + (n + 1) % ${sql.lit(DRIVERS)}`)} from ${series()}`,
  sql`insert into incidents (account_id, id, shipment_id, driver_id, kind, happened_at, received_at, resolved_at, resolution)
    select ${account}, ${id(n)}, ${id(n)}, ${driver}, 'other', now(), now(), case when not ${isRecent} then now() end,
      case when not ${isRecent} then 'tried_again' end from ${series()}`,
  sql`insert into recipient_reports (account_id, id, shipment_id, kind, reported_at, closed_at, outcome)
    select ${account}, ${id(n)}, ${id(n)}, 'other', now(), case when not ${isRecent} then now() end,
      case when not ${isRecent} then 'done' end from ${series()}`,
  sql`insert into proofs (account_id, id, shipment_id, driver_id, command_id, kind, file_name, content_type, bytes, sha256,
      taken_at, received_at)
    select ${account}, ${id(n)}, ${id(n)}, ${driver}, 'command-' || n, 'photo', n || '.jpeg', 'image/jpeg', 1, '', now(), now()
    from ${series()}`,
  sql`insert into messages (account_id, id, shipment_id, kind, channel, status, created_at, sent_at, erased_at)
    select ${account}, ${id(n)}, ${id(n)}, 'recipient-sms', 'sms',
      case when n > ${sql.lit(FILLED - 5)} then 'pending' when n % 10 = 0 then 'failed' else 'sent' end,
      now() - (${sql.lit(FILLED)} - n) * interval '1 minute', now(), case when not ${isRecent} then now() end from ${series()}`,
  sql`insert into imports (account_id, id, filename, content_hash, state, delimiter, columns, lines, good, amount_cents,
      created, created_at, started_at, erased_at)
    select ${LARGE_ACCOUNT}::uuid, ${id(n)}, 'orders.csv', decode(md5(n::text), 'hex'),
      'done', ';', '[]', 5000, 5000, 0, 4990,
      now() - (${sql.lit(FILLED)} - n) * interval '1 minute', now(), case when not ${isRecent} then now() end from ${series()}`,
  // Every import has some refused lines; all others are created.
  sql`insert into import_lines (account_id, import_id, line, state, cells, request, errors)
    select ${LARGE_ACCOUNT}::uuid, ${id(sql`1 + (n - 1) / ${sql.lit(LINES_PER_IMPORT)}`)}, n,
      case when n % 500 = 0 then 'bad' else 'created' end, '[]', '{"deliveryAddress": {}, "parcelDetails": {}}', '[]'
    from ${series()}`,
];
