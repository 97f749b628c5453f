import type { Day } from './day.ts';
import type { TrackedShipment } from './journal.ts';
import type { Merchant } from './merchant.ts';

/**
 * The merchant cancels once. A refusal is no problem when a driver acted at the same time: at the pickup, or if a fault delayed
 * the request while a driver went on to pick the parcel up. Its history must then show that the parcel had left.
 */
export async function cancel({ merchants, journal, options }: Day, tracked: TrackedShipment): Promise<void> {
  if (tracked.isFateDone) return;
  tracked.isFateDone = true;
  const merchant = merchants[tracked.plan.merchant] as Merchant;
  const { status, body } = await merchant.cancel(tracked.id);
  const { fate } = tracked.plan;
  const mayBeTooLate = fate === 'cancelled-at-pickup' || options.faults !== 'none';
  if (status === 200 && body.shipping.status === 'cancelled') {
    journal.note(tracked, { status: 'cancelled', channel: 'http', driverId: null });
  } else if (status === 400 && mayBeTooLate) {
    tracked.cancelRefusedAt = new Date();
  } else {
    journal.report(tracked, `cancelling answered ${status} ${JSON.stringify(body)}`);
  }
}
