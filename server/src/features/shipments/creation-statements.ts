/** The statements of a creation. Each is prepared once per connection under its name. */

/**
 * Locks the accounts' counters, in the order of their ids so that two creations cannot wait for each other in a ring.
 * Balances read here are true until the transaction ends; settings are those of the moment this statement started.
 */
export const LOCK_ACCOUNTS = {
  name: 'lock-accounts',
  text: `
    select c.account_id as "accountId", c.balance_cents as "balanceCents", c.last_entry as "lastEntry",
           c.last_shipment as "lastShipment", c.last_shipment_at as "lastShipmentAt",
           a.payment_mode as "paymentMode", a.credit_limit_cents as "creditLimitCents",
           greatest(a.updated_at, p.updated_at) as "changedAt"
    from account_counters c
    join accounts a on a.id = c.account_id
    left join pickup_addresses p on p.account_id = c.account_id
    where c.account_id = any($1)
    order by c.account_id
    for no key update of c`,
};

/** Sent after the lock, so that it sees what the transaction it waited for has committed. */
export const FIND_KEYS = {
  name: 'find-idempotency-keys',
  text: `
    select key, account_id as "accountId", shipment_id as "shipmentId"
    from idempotency_keys where key = any($1)`,
};

/**
 * Writes a whole batch: $1 what changes per account, $2 the shipments with their ledger entry and event, both as JSON.
 * Keys go in sorted, for the same reason as above. A key that somebody else has just used, or a reference that exists
 * already, breaks its unique index and with it the transaction; the batch then starts over and sees it.
 */
export const WRITE_CREATIONS = {
  name: 'write-creations',
  text: `
    with account as materialized (
      select * from json_to_recordset($1) as a (
        account_id uuid, balance_cents bigint, last_entry bigint, last_shipment bigint, last_shipment_at timestamptz,
        day date, programmed int, created int, amount_cents bigint)
    ), shipment as materialized (
      select * from json_to_recordset($2) as s (
        account_id uuid, id uuid, number bigint, reference_number text, status text, price_cents int,
        weight double precision, nature text, notes text, is_collection boolean, group_reference text,
        pickup_address json, delivery_address json, scheduled_date date, time_slot text, slot_starts_at timestamptz,
        activate_at timestamptz, estimated_delivery_at timestamptz, platform text, order_id text, shop_domain text,
        metadata json, collection_contact json, delivery_code text, label_suffix text, created_at timestamptz,
        idempotency_key text, entry bigint, balance_after_cents bigint, event_id uuid, event_body text)
    ), counted as (
      update account_counters c
      set balance_cents = a.balance_cents, last_entry = a.last_entry, last_shipment = a.last_shipment,
          last_shipment_at = a.last_shipment_at, amount_cents = c.amount_cents + a.amount_cents,
          programmed = c.programmed + a.programmed, created = c.created + a.created
      from account a where c.account_id = a.account_id
    ), dated as (
      insert into daily_totals as d (account_id, day, shipments, amount_cents)
      select account_id, day, programmed + created, amount_cents from account
      on conflict (account_id, day) do update
      set shipments = d.shipments + excluded.shipments, amount_cents = d.amount_cents + excluded.amount_cents
    ), claimed as (
      insert into idempotency_keys (key, account_id, shipment_id)
      select idempotency_key, account_id, id from shipment where idempotency_key is not null order by idempotency_key
    ), charged as (
      insert into ledger_entries
        (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id, created_at)
      select account_id, entry, 'charge', -price_cents, balance_after_cents, id, created_at from shipment
    ), announced as (
      insert into events (account_id, id, shipment_id, type, body, created_at)
      select account_id, event_id, id, 'shipping.created', event_body, created_at from shipment
    )
    insert into shipments
      (account_id, id, number, reference_number, status, price_cents, weight, nature, notes, is_collection,
       group_reference, pickup_address, delivery_address, scheduled_date, time_slot, slot_starts_at, activate_at,
       estimated_delivery_at, platform, order_id, shop_domain, metadata, collection_contact, delivery_code,
       label_suffix, status_history, created_at, updated_at)
    select
       account_id, id, number, reference_number, status, price_cents, weight, nature, notes, is_collection,
       group_reference, pickup_address, delivery_address, scheduled_date, time_slot, slot_starts_at, activate_at,
       estimated_delivery_at, platform, order_id, shop_domain, metadata, collection_contact, delivery_code,
       label_suffix, jsonb_build_array(jsonb_build_object('status', status, 'at', iso_instant(created_at))),
       created_at, created_at
    from shipment`,
};
