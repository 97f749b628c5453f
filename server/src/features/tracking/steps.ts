import type { ShipmentStatus } from '@navette/contract';
import type { TrackedShipment } from './find-tracked-shipment.ts';

type StepStatus = ShipmentStatus;

export interface Step {
  status: StepStatus;
  state: 'done' | 'now' | 'next';
  /** When it was reached; unknown for one that was skipped. */
  at: Date | null;
}

const STEPS = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'] as const;

/**
 * The steps of a shipment and those it has reached. After a driver abandons the run, the times of later steps are left
 * out. A cancelled shipment ends at its last step.
 */
export function stepsOf({
  status,
  history,
  createdAt,
}: Pick<TrackedShipment, 'status' | 'history' | 'createdAt'>): Step[] {
  const reached = (step: ShipmentStatus) => history.findLast((entry) => entry.status === step)?.at ?? null;
  if (status === 'cancelled') {
    const passed = history.slice(0, -1).map((entry) => entry.status);
    const last = (STEPS as readonly ShipmentStatus[]).indexOf(passed.at(-1) ?? status);
    const before = STEPS.slice(0, Math.max(last, 0) + 1).map(
      (step): Step => ({ status: step, state: 'done', at: step === 'created' ? createdAt : reached(step) }),
    );
    return [...before, { status, state: 'now', at: reached('cancelled') }];
  }
  const position = status === 'programmed' ? 0 : STEPS.indexOf(status);
  return STEPS.map((step, i): Step => {
    const name = step === 'created' && status === 'programmed' ? 'programmed' : step;
    if (i > position) return { status: name, state: 'next', at: null };
    const state = i === position && status !== 'delivered' ? 'now' : 'done';
    return { status: name, state, at: i === 0 ? createdAt : reached(step) };
  });
}
