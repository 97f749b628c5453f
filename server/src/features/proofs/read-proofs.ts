import { createHash } from 'node:crypto';
import type { ProofKind, ShipmentProof, SignerRelation } from '@navette/contract';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';

const SHOWN_TO_DRIVER_MS = 48 * 3_600_000; // as the recipient's name and address

export interface ProofFile {
  contentType: string;
  bytes: Buffer;
}

/** The proof of a shipment for the merchant's members, oldest first. */
export async function listShipmentProofs(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentProof[]> {
  const rows = await db
    .selectFrom('proofs')
    .select(['id', 'kind', 'signer_name as signerName', 'signer_relation as signerRelation'])
    .select(['taken_at as takenAt', 'received_at as receivedAt', 'sha256'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('taken_at')
    .execute();
  return rows.map(({ takenAt, receivedAt, kind, signerRelation, ...proof }) => ({
    ...proof,
    kind: kind as ProofKind,
    signerRelation: signerRelation as SignerRelation | null,
    takenAt: takenAt.toISOString(),
    receivedAt: receivedAt.toISOString(),
  }));
}

/** For a member of the account. Null when it is unknown, or another account's. */
export async function readProof(db: Database, store: FileStore, accountId: string, id: string) {
  if (!isUuid(id)) return null;
  const row = await selectFile(db).where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst();
  return row ? openFile(store, row) : null;
}

/** For staff, of any account. */
export async function readAnyProof(db: Database, store: FileStore, id: string) {
  if (!isUuid(id)) return null;
  const row = await selectFile(db).where('id', '=', id).executeTakeFirst();
  return row ? openFile(store, row) : null;
}

/** A photo of the recipient's own parcel. The signed link to this shipment is the permission. */
export async function readPhotoForTokenHolder(
  db: Database,
  store: FileStore,
  { accountId, id: shipmentId }: { accountId: string; id: string },
  id: string,
) {
  const row = await selectFile(db)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('shipment_id', '=', shipmentId)
    .where('kind', '=', 'photo')
    .executeTakeFirst();
  return row ? openFile(store, row) : null;
}

/** For the driver who took it, across accounts, until two days after the end of the run. */
export async function readOwnProof(db: Database, store: FileStore, driverId: string, id: string, now: Date) {
  if (!isUuid(id)) return null;
  const row = await selectFile(db)
    .where('id', '=', id)
    .where('driver_id', '=', driverId)
    .where('received_at', '>', new Date(now.getTime() - SHOWN_TO_DRIVER_MS))
    .executeTakeFirst();
  return row ? openFile(store, row) : null;
}

const selectFile = (db: Database) =>
  db.selectFrom('proofs').select(['file_name as fileName', 'content_type as contentType', 'sha256']);

/** A file that differs from its checksum is an error and not an answer: it is evidence. */
async function openFile(
  store: FileStore,
  { fileName, contentType, sha256 }: { fileName: string; contentType: string; sha256: string },
): Promise<ProofFile> {
  const bytes = await store.read(fileName);
  if (!bytes) throw new Error('a file of proof is missing');
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error('a file of proof was changed');
  return { contentType, bytes };
}
