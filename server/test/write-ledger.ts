import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

interface WrittenEntry {
  kind: 'credit' | 'charge' | 'refund';
  amountCents: number;
  at: Date;
  shipmentId?: string;
}

/** Writes an entry as the service does, under the lock of the account's counters, but at any time and without a shipment. */
async function writeEntry(db: Database, accountId: string, entry: WrittenEntry): Promise<void> {
  const { kind, amountCents, at, shipmentId = null } = entry;
  await sql`
    with counted as (
      update account_counters set balance_cents = balance_cents + ${amountCents}, last_entry = last_entry + 1
      where account_id = ${accountId} returning balance_cents, last_entry
    )
    insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id, created_at)
    select ${accountId}, last_entry, ${kind}, ${amountCents}, balance_cents, ${shipmentId}, ${at} from counted`.execute(
    db,
  );
}

/** Returns the shipment's id, with which the charge can be refunded. */
export async function writeCharge(db: Database, accountId: string, cents: number, at: string): Promise<string> {
  const shipmentId = randomUUID();
  await writeEntry(db, accountId, { kind: 'charge', amountCents: -cents, at: new Date(at), shipmentId });
  return shipmentId;
}

export const writeRefund = (db: Database, accountId: string, shipmentId: string, cents: number, at: string) =>
  writeEntry(db, accountId, { kind: 'refund', amountCents: cents, at: new Date(at), shipmentId });

export const writeCredit = (db: Database, accountId: string, cents: number, at: string) =>
  writeEntry(db, accountId, { kind: 'credit', amountCents: cents, at: new Date(at) });
