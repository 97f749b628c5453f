import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import { addCredit } from '../ledger/index.ts';
import { newClientId } from './manage-accounts.ts';

export const TWIN_CREDIT_CENTS = 100_000; // 1,000 EUR in play money: some hundred parcels
const TEST_CLIENT_TYPE = 'test';

/**
 * The test twin of a live account, created on first use. It starts with a copy of prices, slots, limits and pickup address,
 * with a signed contract and credit, so that a developer can create shipments before the live account is set up. Later
 * changes of the live account do not affect it. Null when there is no such open live account.
 */
export async function findOrCreateTwin(tx: Tx, liveAccountId: string): Promise<{ id: string; isNew: boolean } | null> {
  const live = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', liveAccountId)
    .where('live_account_id', 'is', null) // a twin has no twin
    .where('closed_at', 'is', null)
    .forNoKeyUpdate() // serialises concurrent creations
    .executeTakeFirst();
  if (!live) return null;
  const existing = await findTwin(tx, liveAccountId);
  if (existing) return { id: existing, isNew: false };
  const id = randomUUIDv7();
  await sql`
    insert into accounts (id, live_account_id, client_id, name, email, client_type, contract_version, contract_signed,
      is_special_request, agreed_pickup_time, minimum_price_cents, price_per_kg_cents, payment_mode, credit_limit_cents,
      limit_per_minute, limit_per_hour, limit_per_day, sms_per_day, retention_days)
    select ${id}, id, ${newClientId('nvc_test_')}, name, email, coalesce(client_type, ${TEST_CLIENT_TYPE}),
      contract_version, true, is_special_request, agreed_pickup_time, minimum_price_cents, price_per_kg_cents,
      payment_mode, credit_limit_cents, limit_per_minute, limit_per_hour, limit_per_day, sms_per_day, retention_days
    from accounts where id = ${liveAccountId}`.execute(tx);
  await tx.insertInto('account_counters').values({ account_id: id }).execute();
  await sql`
    insert into pickup_addresses (account_id, street, city, postal_code, country, latitude, longitude, formatted_address,
      place_id)
    select ${id}, street, city, postal_code, country, latitude, longitude, formatted_address, place_id
    from pickup_addresses where account_id = ${liveAccountId}`.execute(tx);
  await sql`
    insert into time_slots (id, account_id, position, label, start_minute, end_minute)
    select gen_random_uuid(), ${id}, position, label, start_minute, end_minute
    from time_slots where account_id = ${liveAccountId}`.execute(tx);
  await addCredit(tx, id, TWIN_CREDIT_CENTS, 'test mode');
  return { id, isNew: true };
}

export async function findTwin(tx: Tx, liveAccountId: string): Promise<string | null> {
  const twin = await tx
    .selectFrom('accounts')
    .select('id')
    .where('live_account_id', '=', liveAccountId)
    .executeTakeFirst();
  return twin?.id ?? null;
}
