import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { ErasureCounts } from '../../database/json-columns.ts';
import { hashPassword } from '../../secrets/hash-password.ts';
import { addressHash } from '../geocoding/index.ts';
import { labelFileNameOf } from '../labels/index.ts';
import { eraseFoundRecurring } from './erase-recurring.ts';
import { eraseRequested } from './erase-requested.ts';
import { endsOtherwise, type PersonExport } from './export-person.ts';
import { type Found, findPerson, type ShipmentRef, shipmentsIn } from './find-person.ts';
import type { Subject } from './subject.ts';

export interface ErasureRequest {
  reason: string;
  /** The system user who runs the command. */
  systemUser: string;
  now: Date;
}

export interface Receipt {
  id: string;
  at: Date;
  counts: ErasureCounts;
  /** References of shipments in progress, which are erased once they have ended. */
  waiting: string[];
  endsOtherwise: PersonExport['endsOtherwise'];
}

/**
 * Erases a person on request (GDPR, art. 17): ended shipments at once, the others once they have ended. Commits the
 * requests and the receipt first: after a crash, the job erase-personal-data completes the erasure.
 */
export async function erasePerson(
  { db, store }: { db: Database; store: FileStore },
  subject: Subject,
  { reason, systemUser, now }: ErasureRequest,
  onProgress?: (table: string, share: number) => void,
): Promise<Receipt> {
  const found = await findPerson(db, subject, onProgress);
  const shipments = shipmentsIn(found);
  const id = randomUUIDv7();
  const subjectHash = await hashPassword(subject.value);
  const committed = await db.transaction().execute(async (tx) => {
    const addresses = await deleteGeocoded(tx, shipments);
    const lines = await deleteImportLines(tx, found);
    const savedAddresses = await deleteSavedAddresses(tx, found);
    const recurring = await eraseFoundRecurring(tx, found, now);
    await tx
      .insertInto('erasure_receipts')
      .values({
        id,
        at: now,
        subject_kind: subject.kind,
        subject_hash: subjectHash,
        reason,
        system_user: systemUser,
        counts: '{}',
      })
      .execute();
    await insertErasureRequests(tx, id, shipments);
    return { importLines: lines, recurring, savedAddresses, geocodedAddresses: addresses };
  });
  await eraseRequested(db, now);
  const erased = await deleteErasedLabels(db, store, shipments, now);
  const waiting = await readWaiting(db, id);
  const counts = { ...committed, shipments: erased, waiting: waiting.length };
  await db
    .updateTable('erasure_receipts')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', id)
    .execute();
  return { id, at: now, counts, waiting, endsOtherwise: endsOtherwise(found) };
}

async function insertErasureRequests(tx: Tx, receiptId: string, shipments: ShipmentRef[]): Promise<void> {
  await sql`
    insert into erasure_requests (account_id, shipment_id, receipt_id)
    select s.account_id, s.id, ${receiptId}
    from json_to_recordset(${JSON.stringify(shipments)}) as r ("accountId" uuid, "shipmentId" uuid)
    join shipments s on s.account_id = r."accountId" and s.id = r."shipmentId" and s.personal_data_erased_at is null
    on conflict (account_id, shipment_id) do update set receipt_id = excluded.receipt_id`.execute(tx);
}

/** Keeps lines that are still to be created: they are erased with their import, within 30 days. */
async function deleteImportLines(tx: Tx, { import_lines: lines = [] }: Found): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import_lines l
    using json_to_recordset(${JSON.stringify(lines)}) as f (account_id uuid, import_id uuid, line int), imports i
    where (l.account_id, l.import_id, l.line) = (f.account_id, f.import_id, f.line)
      and (i.account_id, i.id) = (l.account_id, l.import_id)
      and not (l.state = 'good' and i.state in ('previewed', 'running'))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function deleteSavedAddresses(tx: Tx, { saved_addresses: saved = [] }: Found): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from saved_addresses a using json_to_recordset(${JSON.stringify(saved)}) as f (account_id uuid, id uuid)
    where (a.account_id, a.id) = (f.account_id, f.id)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

interface Place {
  street: string;
  city: string;
  postalCode: string;
  country: string;
}

async function deleteGeocoded(tx: Tx, shipments: ShipmentRef[]): Promise<number> {
  const { rows } = await sql<{ pickup: Place; delivery: Place }>`
    select s.pickup_address as pickup, s.delivery_address as delivery
    from json_to_recordset(${JSON.stringify(shipments)}) as r ("accountId" uuid, "shipmentId" uuid)
    join shipments s on s.account_id = r."accountId" and s.id = r."shipmentId"`.execute(tx);
  const hashes = rows.flatMap(({ pickup, delivery }) => [addressHash(pickup), addressHash(delivery)]);
  const { numAffectedRows } = await sql`
    delete from geocoded_addresses where address_hash = any(${hashes}::bytea[])`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes the labels of shipments that this run erased, and returns their number. The job deletes them once more, since a
 * label that is being drawn now is stored afterwards.
 */
async function deleteErasedLabels(
  db: Database,
  store: FileStore,
  shipments: ShipmentRef[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ reference: string; suffix: string }>`
    select s.reference_number as reference, s.label_suffix as suffix
    from json_to_recordset(${JSON.stringify(shipments)}) as r ("accountId" uuid, "shipmentId" uuid)
    join shipments s on s.account_id = r."accountId" and s.id = r."shipmentId"
    where s.personal_data_erased_at = ${now}`.execute(db);
  for (const { reference, suffix } of rows) await store.delete(labelFileNameOf(reference, suffix));
  return rows.length;
}

async function readWaiting(db: Database, receiptId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('erasure_requests as r')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'r.account_id').onRef('s.id', '=', 'r.shipment_id'),
    )
    .select('s.reference_number')
    .where('r.receipt_id', '=', receiptId)
    .orderBy('s.reference_number')
    .execute();
  return rows.map(({ reference_number: reference }) => reference);
}
