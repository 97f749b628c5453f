import { createHash, randomUUIDv7 } from 'node:crypto';
import { type DeliveryAddressInput, MAX_SAVED_ADDRESSES, type SavedAddress } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { knownCoordinates } from '../geocoding/index.ts';

type Address = Omit<SavedAddress, 'id'>;

/** By name; with a search, those that were used last. Reads all addresses of the account, whose number is bounded. */
export async function listAddresses(
  db: Database,
  accountId: string,
  { search = '', limit = 100 }: { search?: string | undefined; limit?: number | undefined },
): Promise<{ addresses: SavedAddress[]; total: number }> {
  const words = normalText(search).split(' ').filter(Boolean);
  const matching = words.map((word) => sql`and search like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`);
  const order = words.length > 0 ? sql`used_at desc, id` : sql`search, id`;
  const { rows } = await sql<{ id: string; address: Address; total: number }>`
    select id, address, count(*) over () as total from saved_addresses
    where account_id = ${accountId} ${sql.join(matching, sql` `)} order by ${order} limit ${limit}`.execute(db);
  return { addresses: rows.map(({ id, address }) => ({ id, ...address })), total: rows[0]?.total ?? 0 };
}

/** The same person at the same place is saved once. The account is locked, so that concurrent requests keep the limit. */
export async function saveAddress(
  db: Database,
  accountId: string,
  input: DeliveryAddressInput,
  now: Date,
): Promise<SavedAddress> {
  const address = toAddress(input);
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    const { rows } = await sql<{ id: string }>`
      insert into saved_addresses (account_id, id, identity, address, search, used_at)
      values (${accountId}, ${randomUUIDv7()}, ${identityOf(address)}, ${JSON.stringify(address)}, ${searchOf(address)}, ${now})
      on conflict (account_id, identity) do update
        set address = excluded.address, search = excluded.search, used_at = excluded.used_at
      returning id`.execute(tx);
    const { count } = await tx
      .selectFrom('saved_addresses')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count > MAX_SAVED_ADDRESSES) refuseDashboard('ADDRESS_BOOK_FULL');
    return { id: rows[0]?.id as string, ...address };
  });
}

export async function changeAddress(
  db: Database,
  accountId: string,
  id: string,
  input: DeliveryAddressInput,
  now: Date,
): Promise<SavedAddress> {
  if (!isUuid(id)) return refuseAsNotFound();
  const address = toAddress(input);
  const identity = identityOf(address);
  return db.transaction().execute(async (tx) => {
    // Against a concurrent save of the same person, which locks the account too.
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    const same = await tx
      .selectFrom('saved_addresses')
      .select('id')
      .where('account_id', '=', accountId)
      .where('identity', '=', identity)
      .executeTakeFirst();
    if (same && same.id !== id) return refuseDashboard('ADDRESS_SAVED_ALREADY');
    const { numUpdatedRows } = await tx
      .updateTable('saved_addresses')
      .set({ identity, address: JSON.stringify(address), search: searchOf(address), used_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows === 0n ? refuseAsNotFound() : { id, ...address };
  });
}

export async function deleteAddress(db: Database, accountId: string, id: string): Promise<void> {
  if (!isUuid(id)) refuseAsNotFound();
  const { numDeletedRows } = await db
    .deleteFrom('saved_addresses')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuseAsNotFound();
}

/** A shipment to a saved address restarts its retention, at most once a day. */
export async function noteAddressUse(
  db: Database,
  accountId: string,
  input: DeliveryAddressInput,
  now: Date,
): Promise<void> {
  await sql`
    update saved_addresses set used_at = ${now}
    where account_id = ${accountId} and identity = ${identityOf(toAddress(input))}
      and used_at < ${now}::timestamptz - interval '1 day'`.execute(db);
}

function toAddress(input: DeliveryAddressInput): Address {
  const { recipientName, street, postalCode, city, country = 'France', phoneNumber, email } = input;
  const texts = { recipientName, street, postalCode, city, country, phoneNumber, email };
  const trimmed = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text.trim()]));
  return { ...(trimmed as typeof texts), coordinates: knownCoordinates(input.coordinates) };
}

const identityOf = ({ recipientName, street, postalCode, city, country }: Address): Buffer =>
  createHash('sha256').update([recipientName, street, postalCode, city, country].map(normalText).join('\n')).digest();

const searchOf = ({ recipientName, street, postalCode, city, email }: Address): string =>
  normalText([recipientName, street, postalCode, city, email].join(' '));

/** Without case, accents and punctuation, except what an e-mail address needs. */
const normalText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll(/[^\p{Letter}\p{Number}@._+%]+/gu, ' ')
    .trim();
