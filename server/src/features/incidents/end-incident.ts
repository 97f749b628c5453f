import type { IncidentResolution } from '@navette/contract';
import type { QueryCreator } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';

export interface Resolution {
  resolution: IncidentResolution;
  by: 'driver' | 'operator' | 'merchant';
  reason?: string | null;
  /** With `left_with`: the name of the person. */
  leftWith?: string | null;
  now: Date;
}

/** Ends the open incident of a shipment, if there is one. The caller holds the shipment's lock. */
export async function endIncident(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  resolution: Resolution,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOpenIncident(tx, accountId, shipmentId, resolution).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** For a statement that also changes the shipment. */
export const updateOpenIncident = (
  query: Pick<QueryCreator<DB>, 'updateTable'>,
  accountId: string,
  shipmentId: string,
  { resolution, by, reason = null, leftWith = null, now }: Resolution,
) =>
  query
    .updateTable('incidents')
    .set({ resolved_at: now, resolution, resolved_by: by, resolution_reason: reason, left_with: leftWith })
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('resolved_at', 'is', null);
