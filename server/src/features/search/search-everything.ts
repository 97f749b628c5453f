import { SEARCH_FIELD_NEEDS, type SearchField, type SearchResult, type StaffNeed } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { findAnyKeys } from '../api-keys/index.ts';
import { findAnyFailedRequest, type RequestLog } from '../requests/index.ts';
import { findAnyShipments } from './find-any-shipments.ts';
import { findAccounts, findDrivers } from './find-names.ts';

export interface SearchContext {
  db: Database;
  requestLog: RequestLog;
  now: Date;
}

const SHIPMENT_FIELDS = ['reference', 'order', 'recipient', 'town', 'phone'] as const satisfies SearchField[];
const SHORTEST = 2; // characters

/** Everything that begins with the text, in the fields that the role may search. Every query is a bounded index range. */
export async function searchEverything(
  { db, requestLog, now }: SearchContext,
  text: string,
  may: (need: StaffNeed) => boolean,
): Promise<SearchResult[]> {
  const typed = text.trim();
  if (typed.length < SHORTEST) return [];
  const mayUse = (field: SearchField) => may(SEARCH_FIELD_NEEDS[field]);
  const found = await Promise.all([
    findAnyShipments(db, typed, SHIPMENT_FIELDS.filter(mayUse), mayUse('recipient')),
    mayUse('merchant') ? findAccounts(db, typed) : [],
    mayUse('driver') ? findDrivers(db, typed, mayUse('phone')) : [],
    mayUse('key') ? findByKey(db, typed) : [],
    mayUse('request') ? findByRequest({ db, requestLog, now }, typed) : [],
  ]);
  return found.flat();
}

const NOTHING = { status: null, account: null, recipient: null, town: null, orderId: null };

async function findByKey(db: Database, text: string): Promise<SearchResult[]> {
  const keys = await findAnyKeys(db, text);
  return keys.map(({ accountId, account, name, hint, revokedAt }) => ({
    ...{ type: 'account', id: accountId, title: account, matched: 'key', ...NOTHING },
    detail: name ? `${name} (…${hint})` : `…${hint}`,
    isClosed: revokedAt !== null,
  }));
}

/** Without Redis, no request is found. */
async function findByRequest(context: SearchContext, text: string): Promise<SearchResult[]> {
  const { db, requestLog, now } = context;
  const found = await findAnyFailedRequest(requestLog, text, now).catch(() => null);
  if (!found) return [];
  const account = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', found.accountId)
    .where('live_account_id', 'is', null)
    .executeTakeFirst();
  if (!account) return [];
  const { method, route, status, error } = found.entry;
  const detail = [method, route, status, error].filter((part) => part !== null).join(' ');
  const result = { id: found.accountId, title: account.name, detail, isClosed: false };
  return [{ type: 'account', matched: 'request', ...NOTHING, ...result }];
}
