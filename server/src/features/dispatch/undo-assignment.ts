import type { Tx } from '../../database/database.ts';
import { quotePay } from '../driver-pay/index.ts';
import { recordDecision } from './decisions.ts';
import { notifyDrivers } from './end-search.ts';
import { move, type OperatorContext, type OperatorResult, withAnyShipment } from './operator.ts';
import type { LockedShipment } from './searches.ts';

/**
 * Returns a shipment to the driver it had before the latest assignment, or to the search for one. The caller's version is
 * the one that the assignment led to, so nothing has happened since. The driver stays a candidate of the search: the
 * assignment was a mistake, not a refusal. A programmed shipment becomes `created`, since no status leads back.
 */
export function undoAnyAssignment(context: OperatorContext & { version: string }, shipmentId: string) {
  return withAnyShipment(context, shipmentId, { act: 'shipment.assignment_undone' }, async (tx, shipment) => {
    const { accountId, id, driverId } = shipment;
    const previous = await readPreviousDriver(tx, shipment);
    const moved = await moveBack(tx, context, shipment, previous);
    if (moved.outcome !== 'done') return moved;
    const details = { by: 'operator' as const, previous };
    const undone = { accountId, shipmentId: id, driverId, details };
    await recordDecision(tx, { ...undone, kind: 'assignment undone', at: context.now });
    const affected = [driverId, previous].filter((driver) => driver !== null);
    await notifyDrivers(tx, context.jobs, { accountId, shipmentId: id }, affected, 'shipment-changed');
    return moved;
  });
}

async function moveBack(
  tx: Tx,
  context: OperatorContext,
  shipment: LockedShipment,
  previous: string | null,
): Promise<OperatorResult> {
  if (previous === null) return move(tx, context, shipment, { trigger: 'abandon' });
  const payCents = await quotePay(tx, context.config.driverPay, shipment.accountId, shipment.id);
  return move(tx, context, shipment, { trigger: 'assign', driverId: previous, payCents });
}

/** The driver whom the latest assignment replaced; null when the shipment had none. */
async function readPreviousDriver(tx: Tx, { accountId, id, history }: LockedShipment): Promise<string | null> {
  if (history.at(-2)?.status !== 'assigned') return null;
  const latest = await tx
    .selectFrom('dispatch_decisions')
    .select('details')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('kind', '=', 'assigned')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.details.previous ?? null;
}
