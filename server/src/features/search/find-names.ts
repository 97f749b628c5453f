import type { SearchResult } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { normalizeText } from '../../text/normalize-text.ts';
import { phonePrefixOf } from '../../text/search-words.ts';
import { LAST_CHARACTER } from './find-any-shipments.ts';

const MOST = 5;
const KEYS_PER_SUBJECT = 6; // several words of one name may match

const NOTHING = { status: null, account: null, recipient: null, town: null, orderId: null, detail: null };

/** Merchants by a word of their name, their e-mail address or client id. */
export async function findAccounts(db: Database, text: string): Promise<SearchResult[]> {
  const ids = await findSubjects(db, 'account', [normalizeText(text)]);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'name as title', 'closed_at as closedAt'])
    .where('id', 'in', ids)
    .execute();
  return inOrder(ids, rows).map(({ id, title, closedAt }) => ({
    ...{ type: 'account', id, title, matched: 'merchant', ...NOTHING, isClosed: closedAt !== null },
  }));
}

/** Drivers by a word of their name, their e-mail address or phone. */
export async function findDrivers(db: Database, text: string, byPhone: boolean): Promise<SearchResult[]> {
  const ids = await findSubjects(db, 'driver', [normalizeText(text), ...(byPhone ? [phonePrefixOf(text)] : [])]);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('drivers')
    .select(['id', 'disabled_at as disabledAt'])
    .select(sql<string>`first_name || ' ' || last_name`.as('title'))
    .where('id', 'in', ids)
    .execute();
  return inOrder(ids, rows).map(({ id, title, disabledAt }) => ({
    ...{ type: 'driver', id, title, matched: 'driver', ...NOTHING, isClosed: disabledAt !== null },
  }));
}

const inOrder = <Row extends { id: string }>(ids: string[], rows: Row[]) =>
  ids.flatMap((id) => rows.filter((row) => row.id === id));

/** Ids of drivers by the beginning of a word of their name. */
export const findDriverIds = (db: Database, text: string, most: number): Promise<string[]> =>
  findSubjects(db, 'driver', [normalizeText(text)], most);

async function findSubjects(
  db: Database,
  kind: 'account' | 'driver',
  prefixes: string[],
  most = MOST,
): Promise<string[]> {
  const wanted = prefixes.filter((prefix) => prefix !== '');
  const found = await Promise.all(
    wanted.map((prefix) =>
      db
        .selectFrom('name_keys')
        .select('subject_id as id')
        .where('kind', '=', kind)
        .where('key', '>=', prefix)
        .where('key', '<', prefix + LAST_CHARACTER)
        .orderBy('key')
        .orderBy('subject_id')
        .limit(most * KEYS_PER_SUBJECT)
        .execute(),
    ),
  );
  return [...new Set(found.flat().map(({ id }) => id))].slice(0, most);
}
