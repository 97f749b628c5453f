import type { OperatorResolution } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import { endIncident } from '../incidents/index.ts';
import { recordDecision } from './decisions.ts';
import { notifyDrivers } from './end-search.ts';
import { deliverAsOperator, type OperatorContext, type OperatorResult, withAnyShipment } from './operator.ts';
import type { LockedShipment } from './searches.ts';

export interface IncidentDecision {
  resolution: OperatorResolution;
  reason: string;
  /** With `left_with`: the person who took the parcel, by the recipient's word. */
  leftWith: string | null;
}

/** Ends the open incident of a shipment of any account. The driver is notified. */
export function resolveAnyIncident(context: OperatorContext, referenceOrId: string, decision: IncidentDecision) {
  const { resolution, reason, leftWith } = decision;
  const act = { act: 'incident.resolved', reason, details: { resolution } } as const;
  return withAnyShipment(context, referenceOrId, act, async (tx, shipment): Promise<OperatorResult> => {
    const { accountId, id: shipmentId, status, driverId } = shipment;
    const ended = await endIncident(tx, accountId, shipmentId, {
      resolution,
      by: 'operator',
      reason,
      leftWith,
      now: context.now,
    });
    if (!ended) return { outcome: 'not-allowed', status, why: 'it has no open incident' };
    if (resolution === 'returned') return closeAsReturned(tx, context, shipment, reason);
    if (resolution === 'tried_again') {
      if (driverId) await notifyDrivers(tx, context.jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
      return { outcome: 'done', from: status, to: status, previousDriver: driverId };
    }
    return deliverAsOperator(tx, context, shipment, leftWith ? `left with ${leftWith}: ${reason}` : reason);
  });
}

/** The parcel keeps its status, which the contract has no word for after a return. It leaves the driver's list. */
async function closeAsReturned(
  tx: Tx,
  { jobs, now }: OperatorContext,
  { accountId, id: shipmentId, status, driverId }: LockedShipment,
  reason: string,
): Promise<OperatorResult> {
  if (status !== 'picked_up' && status !== 'in_transit') {
    throw new NotReturnable(status);
  }
  await tx
    .updateTable('shipments')
    .set({ returned_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .execute();
  await recordDecision(tx, { accountId, shipmentId, kind: 'returned', at: now, driverId, details: { reason } });
  if (driverId) await notifyDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
  return { outcome: 'done', from: status, to: status, previousDriver: driverId };
}

/** Thrown, so that the transaction rolls the end of the incident back. */
export class NotReturnable extends Error {
  constructor(status: string) {
    super(`a parcel that is ${status.replace('_', ' ')} is not with the driver: unassign or cancel it instead`);
  }
}
