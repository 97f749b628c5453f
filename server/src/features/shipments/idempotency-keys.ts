import { hash } from 'node:crypto';
import type pg from 'pg';

/** The shipment that a key created, and its account. */
export interface KeyUse {
  accountId: string;
  shipmentId: string;
}

export type ReplayOutcome = { kind: 'replay'; shipmentId: string } | { kind: 'conflict' };

interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}

/**
 * The stored form of an idempotency key after its shipment's personal data was erased. A merchant may have used an order
 * number or an e-mail address as the key; its hash still detects a replay and a conflict. Keys are trimmed, so no client
 * can send one that starts with a space.
 */
export const erasedKeyOf = (key: string): string => ` sha256:${hash('sha256', key)}`;

/**
 * The stored form of a key. Keys are unique over all live accounts; a test twin has keys of its own, so that a test uses
 * up no key of a live account. No client can send a key that starts with a space.
 */
export const storedKeyOf = (account: { id: string; isTest: boolean }, key: string): string =>
  account.isTest ? ` test:${account.id}:${key}` : key;

/** Looks up stored keys of any account, in both forms. Sends its statement before the first await, so it can be pipelined. */
export async function findKeyUses(queryable: Queryable, keys: string[]): Promise<Map<string, KeyUse>> {
  if (keys.length === 0) return new Map();
  const keyOfErased = new Map(keys.map((key) => [erasedKeyOf(key), key]));
  const { rows } = await queryable.query<KeyUse & { key: string }>({
    name: 'find-idempotency-keys',
    text: `
      select key, account_id as "accountId", shipment_id as "shipmentId"
      from idempotency_keys where key = any($1)`,
    values: [[...keys, ...keyOfErased.keys()]],
  });
  return new Map(
    rows.map(({ key, accountId, shipmentId }) => [keyOfErased.get(key) ?? key, { accountId, shipmentId }]),
  );
}

/** A key is used once over all accounts: its own account replays the shipment, any other account gets a conflict. */
export const replayOf = (use: KeyUse, accountId: string): ReplayOutcome =>
  use.accountId === accountId ? { kind: 'replay', shipmentId: use.shipmentId } : { kind: 'conflict' };
