import type { SearchResult, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { normalizeText } from '../../text/normalize-text.ts';
import { phonePrefixOf } from '../../text/search-words.ts';
import { SEARCH_FIELDS } from '../shipment-desk/index.ts';

type ShipmentField = 'reference' | 'order' | 'recipient' | 'town' | 'phone';

const PER_FIELD = 6;
export const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Shipments of every account that have a key of these fields which begins with the text. Each field reads the next rows
 * of one index: exact matches before longer ones, then the newest, whatever the number of shipments.
 */
export async function findAnyShipments(
  db: Database,
  text: string,
  fields: ShipmentField[],
  showsRecipient: boolean,
): Promise<SearchResult[]> {
  const found = await Promise.all(fields.map((field) => findIds(db, field, text)));
  const matched = new Map<string, ShipmentField>();
  for (const { field, id } of found.flat()) if (!matched.has(id)) matched.set(id, field);
  if (matched.size === 0) return [];
  const rows = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 's.account_id').on('a.live_account_id', 'is', null))
    .select(['s.id', 's.reference_number as title', 's.status', 's.order_id as orderId', 'a.name as account'])
    .select(sql<string>`s.delivery_address ->> 'recipientName'`.as('recipient'))
    .select(sql<string>`s.delivery_address ->> 'city'`.as('town'))
    .where('s.id', 'in', [...matched.keys()])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...matched].flatMap(([id, field]) => {
    const row = byId.get(id);
    if (!row) return [];
    const recipient = showsRecipient ? row.recipient : null;
    const status = row.status as ShipmentStatus;
    return [{ ...row, type: 'shipment' as const, matched: field, status, recipient, detail: null, isClosed: false }];
  });
}

async function findIds(db: Database, field: ShipmentField, text: string) {
  const prefix = field === 'phone' ? phonePrefixOf(text) : normalizeText(text);
  if (prefix === '') return [];
  const { rows } = await sql<{ id: string }>`
    select shipment_id as id from shipment_keys
    where field::int = ${SEARCH_FIELDS.indexOf(field)} and key >= ${prefix} and key < ${prefix + LAST_CHARACTER}
      and shipment_id is not null
    order by key, shipment_id desc nulls last limit ${PER_FIELD}`.execute(db);
  return rows.map(({ id }) => ({ field, id }));
}
