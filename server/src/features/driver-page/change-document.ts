import type { ConsolePart, DriverDocumentKind } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { actAsStaff } from '../staff/index.ts';
import { type DriverActContext, knownDriver, subjectOf } from './change-driver.ts';

interface Paper {
  driverId: string;
  kind: DriverDocumentKind;
}

/** Enters a paper, or the one that replaces it. The second of two people is refused. */
export async function setDriverDocument(
  { db, staff, now }: DriverActContext,
  { driverId, kind }: Paper,
  { number, expiresOn, version }: ConsolePart<'setDriverDocument', 'body'>,
): Promise<void> {
  if (expiresOn !== null && !isDay(expiresOn)) refuseDay();
  const { id } = await knownDriver(db, driverId);
  const recorded = actAsStaff(db, {
    ...{ staff, needs: 'dispatch', now, check: (tx) => requireVersion(tx, id, kind, version) },
    describe: () => ({ act: 'driver.document_set', subject: subjectOf(id), details: { kind, expiresOn } }),
  });
  const values = { number: number?.trim() ?? null, expires_on: expiresOn, version: version + 1 };
  const change = { ...values, changed_at: now, changed_by: staff.name };
  await recorded.transaction().execute((tx) =>
    tx
      .insertInto('driver_documents')
      .values({ driver_id: id, kind, ...change })
      .onConflict((conflict) => conflict.columns(['driver_id', 'kind']).doUpdateSet(change))
      .execute(),
  );
}

export async function removeDriverDocument(
  { db, staff, now }: DriverActContext,
  { driverId, kind }: Paper,
  version: number,
): Promise<void> {
  const { id } = await knownDriver(db, driverId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'dispatch', now, check: (tx) => requireVersion(tx, id, kind, version) },
    describe: (isRemoved) =>
      isRemoved ? { act: 'driver.document_removed', subject: subjectOf(id), details: { kind } } : null,
  });
  const isRemoved = await recorded.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('driver_documents')
      .where('driver_id', '=', id)
      .where('kind', '=', kind)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
  if (!isRemoved) refuseAsNotFound();
}

/** Locks the driver, since a paper that is not entered yet has no row. */
async function requireVersion(tx: Tx, driverId: string, kind: DriverDocumentKind, version: number): Promise<void> {
  await tx.selectFrom('drivers').select('id').where('id', '=', driverId).forNoKeyUpdate().execute();
  const found = await tx
    .selectFrom('driver_documents')
    .select(['version', 'changed_at as at', 'changed_by as by'])
    .where('driver_id', '=', driverId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if ((found?.version ?? 0) === version) return;
  const first = found ? { by: found.by, at: found.at.toISOString() } : {};
  refuseConsole('CHANGED_MEANWHILE', { ...first, change: 'driver.document_set' });
}

/** The pattern of the contract allows 31 February. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function refuseDay(): never {
  throw fieldErrors([{ type: 'field', msg: 'Cette date n’existe pas.', path: 'expiresOn', location: 'body' }]);
}
