import type { ShipmentStatus } from '@navette/contract';
import type { TrackedShipment } from './find-tracked-shipment.ts';

type StepStatus = ShipmentStatus;

export interface Step {
  status: StepStatus;
  state: 'done' | 'now' | 'next';
  /** When it was reached; unknown for one that was skipped. */
  at: Date | null;
}

const WAY = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'] as const;

/**
 * The way of a parcel, as far as it has come. A driver who gives up takes it back, and the times of the way that no
 * longer counts are forgotten. A cancelled shipment ends where it was.
 */
export function stepsOf({
  status,
  history,
  createdAt,
}: Pick<TrackedShipment, 'status' | 'history' | 'createdAt'>): Step[] {
  const reached = (step: ShipmentStatus) => history.findLast((entry) => entry.status === step)?.at ?? null;
  if (status === 'cancelled') {
    const way = history.slice(0, -1).map((entry) => entry.status);
    const last = (WAY as readonly ShipmentStatus[]).indexOf(way.at(-1) ?? status);
    const before = WAY.slice(0, Math.max(last, 0) + 1).map(
      (step): Step => ({ status: step, state: 'done', at: step === 'created' ? createdAt : reached(step) }),
    );
    return [...before, { status, state: 'now', at: reached('cancelled') }];
  }
  const position = status === 'programmed' ? 0 : WAY.indexOf(status);
  return WAY.map((step, i): Step => {
    const name = step === 'created' && status === 'programmed' ? 'programmed' : step;
    if (i > position) return { status: name, state: 'next', at: null };
    const state = i === position && status !== 'delivered' ? 'now' : 'done';
    return { status: name, state, at: i === 0 ? createdAt : reached(step) };
  });
}
