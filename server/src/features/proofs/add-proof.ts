import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import {
  type DriverProof,
  MAX_PROOF_BYTES,
  MAX_PROOFS_PER_SHIPMENT,
  type ProofKind,
  type SignerRelation,
} from '@navette/contract';
import { sql } from 'kysely';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../refusals/driver-refusal.ts';
import { applyOnce, type DriverCommand } from '../drivers/index.ts';
import { type ImageFile, readImage } from './image-file.ts';
import { keepFile, listUntilKept } from './new-files.ts';

export interface ProofContext {
  db: Database;
  proofStore: FileStore;
}

export interface NewProof {
  kind: ProofKind;
  /** Base64. */
  content: string;
  signerName?: string;
  signerRelation?: SignerRelation;
}

const OLDEST_MS = 30 * 86_400_000; // a phone that was off for a month

/**
 * Stores a photo or signature of a run of this driver, also after its end. The file is written before the row that refers
 * to it; until then `proof_files_to_delete` lists it, so that a crash in between leaves no photo behind.
 */
export async function addProof(
  { db, proofStore }: ProofContext,
  command: DriverCommand,
  shipmentId: string,
  proof: NewProof,
): Promise<DriverProof> {
  const { driverId, receivedAt: now } = command;
  // Refused and repeated uploads end here: nobody can fill the store with files that no proof refers to.
  const { accountId: owner } = await findRun(db, driverId, shipmentId);
  const earlier = await findAdded(db, command, shipmentId);
  if (earlier) return earlier;
  await refuseTooMany(db, owner, shipmentId);
  const image = judgeImage(proof.content);
  const fileName = `${randomBytes(32).toString('hex')}.${image.contentType.slice('image/'.length)}`;
  await listUntilKept(db, fileName, now);
  await proofStore.write(fileName, image.bytes);
  const id = randomUUIDv7();
  await applyOnce(db, command, shipmentId, async (tx) => {
    const { accountId } = await findRun(tx, driverId, shipmentId);
    await refuseTooMany(tx, accountId, shipmentId);
    await insertProof(tx, { accountId, id, shipmentId, fileName, image, proof, command });
    await keepFile(tx, fileName, now);
    return null;
  });
  return (await findAdded(db, command, shipmentId, id)) ?? refuseAsUnknownRun();
}

/** The proof of this command: of an earlier upload when the phone repeats it, whose file then stays the only one. */
async function findAdded(
  db: Database,
  { driverId, commandId }: DriverCommand,
  shipmentId: string,
  id: string | null = null,
): Promise<DriverProof | null> {
  const found = await db
    .selectFrom('proofs')
    .select(['id', 'kind', 'sha256', 'taken_at as takenAt'])
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .where((eb) => (commandId === null ? eb('id', '=', id) : eb('command_id', '=', commandId)))
    .executeTakeFirst();
  if (!found) return null;
  const { takenAt, kind, ...added } = found;
  return { ...added, kind: kind as ProofKind, takenAt: takenAt.toISOString() };
}

function judgeImage(content: string): ImageFile {
  const bytes = Buffer.from(content, 'base64');
  const image = bytes.length <= MAX_PROOF_BYTES ? readImage(bytes) : null;
  return image ?? refuseDriver('NOT_AN_IMAGE');
}

/** Reads across accounts: the driver id is in the WHERE instead of the account id. The lock serialises the count below. */
async function findRun(db: Database | Tx, driverId: string, shipmentId: string): Promise<{ accountId: string }> {
  if (!isUuid(shipmentId)) return refuseAsUnknownRun();
  const run = await db
    .selectFrom('shipments')
    .select('account_id as accountId')
    .where('driver_id', '=', driverId)
    .where('id', '=', shipmentId)
    .where('personal_data_erased_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return run ?? refuseAsUnknownRun();
}

async function refuseTooMany(tx: Database | Tx, accountId: string, shipmentId: string): Promise<void> {
  const { proofs } = await tx
    .selectFrom('proofs')
    .select((eb) => eb.fn.countAll<number>().as('proofs'))
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  if (proofs >= MAX_PROOFS_PER_SHIPMENT) refuseDriver('TOO_MANY_PROOFS');
}

interface StoredProof {
  accountId: string;
  id: string;
  shipmentId: string;
  fileName: string;
  image: ImageFile;
  proof: NewProof;
  command: DriverCommand;
}

async function insertProof(tx: Tx, { accountId, id, shipmentId, fileName, image, proof, command }: StoredProof) {
  const { driverId, commandId, doneAt, receivedAt } = command;
  await tx
    .insertInto('proofs')
    .values({
      account_id: accountId,
      id,
      shipment_id: shipmentId,
      driver_id: driverId,
      command_id: commandId,
      kind: proof.kind,
      file_name: fileName,
      content_type: image.contentType,
      bytes: image.bytes.length,
      sha256: createHash('sha256').update(image.bytes).digest('hex'),
      signer_name: proof.signerName?.trim() ?? null,
      signer_relation: proof.signerRelation ?? null,
      taken_at: plausible(doneAt, receivedAt),
      received_at: receivedAt,
    })
    .execute();
}

const plausible = (doneAt: Date | null, receivedAt: Date): Date =>
  doneAt && doneAt <= receivedAt && receivedAt.getTime() - doneAt.getTime() < OLDEST_MS ? doneAt : receivedAt;

/** Deletes the proof of erased shipments: the rows now, the files by the job that deletes files. */
export async function eraseProofs(tx: Tx, accountId: string, shipmentIds: string[], now: Date): Promise<void> {
  await sql`
    with gone as (
      delete from proofs where account_id = ${accountId} and shipment_id = any(${shipmentIds}) returning file_name
    )
    insert into proof_files_to_delete (file_name, delete_after) select file_name, ${now} from gone`.execute(tx);
}
