import { setTimeout as wait } from 'node:timers/promises';
import type { TestStep, TestTarget } from '@navette/contract';
import { type CourierContext, findTestShipment, sendPosition, takeStep } from './courier.ts';
import { hasReached, nextStep, possibleSteps } from './courier-steps.ts';

const POLL_MS = 100;
const POLLS = 150; // 15 s: the worker makes the offer that a robot accepts
const HURRY_EVERY = 10; // polls: one second between two requests to the search

/** Does one step, waits for its effect, and shows where the robot is then. False when it is not possible now. */
export async function doStep(context: CourierContext, twinId: string, id: string, step: TestStep): Promise<boolean> {
  const isDone = await stepOnce(context, twinId, id, step);
  const after = isDone ? await findTestShipment(context.db, twinId, id) : null;
  if (after) await sendPosition(context, after, 0);
  return isDone;
}

async function stepOnce(context: CourierContext, twinId: string, id: string, step: TestStep): Promise<boolean> {
  const before = await findTestShipment(context.db, twinId, id);
  if (!before || !possibleSteps(before).includes(step)) return false;
  for (let poll = 0; poll < POLLS; poll++) {
    const shipment = await findTestShipment(context.db, twinId, id);
    if (!shipment) return false;
    if (shipment.status !== before.status) return true;
    if (poll === 0 || step === 'accept' || step === 'refuse') {
      const isDone = await takeStep(context, shipment, step, poll % HURRY_EVERY === 0);
      if (isDone && step !== 'activate') return true;
    }
    await wait(POLL_MS);
  }
  return false;
}

/** Does the steps on the way to delivery until the shipment has this status. False when no step leads there. */
export async function advanceUntil(context: CourierContext, twinId: string, id: string, target: TestTarget) {
  for (;;) {
    const shipment = await findTestShipment(context.db, twinId, id);
    if (!shipment) return false;
    if (hasReached(shipment.status, target)) return true;
    const step = nextStep(shipment);
    if (!step) return false;
    if (await doStep(context, twinId, id, step)) continue;
    const after = await findTestShipment(context.db, twinId, id);
    if (after?.status === shipment.status) return false; // otherwise robots in mode `auto` did the step meanwhile
  }
}
