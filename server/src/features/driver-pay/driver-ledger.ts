import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';

export interface DriverEntry {
  entry: number;
  amountCents: number;
  balanceCents: number;
}

interface NewEntry {
  kind: 'run' | 'correction';
  amountCents: number;
  shipment?: { accountId: string; id: string; referenceNumber: string };
  reason?: string;
}

/**
 * One statement writes the entry and the balance. The balance's lock serialises the entries of a driver: numbers have no
 * gaps, and times follow the numbers.
 */
async function writeEntry(
  db: Database | Tx,
  driverId: string,
  { kind, amountCents, shipment, reason }: NewEntry,
  now: Date,
): Promise<DriverEntry> {
  const { rows } = await sql<DriverEntry>`
    with counted as (
      insert into driver_balances as b (driver_id, balance_cents, last_entry, last_at)
      values (${driverId}, ${amountCents}, 1, ${now})
      on conflict (driver_id) do update
      set balance_cents = b.balance_cents + excluded.balance_cents, last_entry = b.last_entry + 1,
          last_at = greatest(b.last_at, excluded.last_at)
      returning balance_cents, last_entry, last_at
    )
    insert into driver_ledger_entries
      (driver_id, entry, kind, amount_cents, balance_after_cents, account_id, shipment_id, reference_number, reason, at)
    select ${driverId}, last_entry, ${kind}, ${amountCents}, balance_cents, ${shipment?.accountId ?? null},
      ${shipment?.id ?? null}, ${shipment?.referenceNumber ?? null}, ${reason ?? null}, last_at
    from counted
    returning entry, amount_cents as "amountCents", balance_after_cents as "balanceCents"`.execute(db);
  return rows[0] as DriverEntry;
}

export interface DeliveredRun {
  accountId: string;
  id: string;
  referenceNumber: string;
  driverId: string | null;
  payCents: number;
}

/** In the transaction of the delivery, after the account's counters. A unique index prevents a second payment. */
export async function payDriver(tx: Tx, { driverId, payCents, ...shipment }: DeliveredRun, now: Date): Promise<void> {
  if (driverId === null || payCents === 0) return;
  await writeEntry(tx, driverId, { kind: 'run', amountCents: payCents, shipment }, now);
}

/** The number of a driver's latest entry; 0 without one. In a transaction, with `lock`, none is added until it ends. */
export async function readLastEntry(db: Database | Tx, driverId: string, lock = false): Promise<number> {
  const query = db.selectFrom('driver_balances').select('last_entry as entry').where('driver_id', '=', driverId);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst())?.entry ?? 0;
}

/** The operator's correction of a mistake, since entries never change. */
export const correctDriverBalance = (
  db: Database,
  driverId: string,
  amountCents: number,
  reason: string,
  now = new Date(),
): Promise<DriverEntry> => writeEntry(db, driverId, { kind: 'correction', amountCents, reason }, now);
