import { randomUUID } from 'node:crypto';
import type { DriverEndpointName, DriverShipment, ShipmentStatus } from '@navette/contract';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { DriverAtWork } from './driver.ts';
import type { TrackedShipment } from './journal.ts';

const STEP_TO: Partial<Record<DriverEndpointName, ShipmentStatus>> = {
  pickUp: 'picked_up',
  depart: 'in_transit',
  deliver: 'delivered',
  abandon: 'created',
};

/** The next action at the pickup or at the recipient; false while a message is awaited. */
export async function takeNextStep(day: Day, me: DriverAtWork, run: DriverShipment): Promise<boolean> {
  const tracked = day.journal.trackedShipments.get(run.id);
  if (!tracked) return false;
  if (run.status === 'assigned') return fetchParcel(day, me, run, tracked);
  return bringParcel(day, me, run, tracked);
}

async function fetchParcel(
  day: Day,
  me: DriverAtWork,
  run: DriverShipment,
  tracked: TrackedShipment,
): Promise<boolean> {
  const { fate, isCollection, departs } = tracked.plan;
  if (!tracked.isFateDone) {
    if (fate === 'abandoned') {
      tracked.isFateDone = true;
      return step(day, me, run, tracked, 'abandon', { reason: 'Panne de vélo' });
    }
    if (fate === 'reassigned') return report(day, me, tracked, 'other', 'Panne de vélo');
  }
  if (fate === 'straight') return bringParcel(day, me, run, tracked);
  const pickupToken = isCollection ? day.recipients.pickupTokenFor(tracked) : undefined;
  if (pickupToken === null) return waitHere(tracked);
  const cancelling = fate === 'cancelled-at-pickup' ? cancel(day, tracked) : null;
  const pickingUp = step(day, me, run, tracked, 'pickUp', pickupToken === undefined ? {} : { pickupToken });
  const [isDone] = await Promise.all([pickingUp, cancelling]);
  if (isDone && departs) await step(day, me, run, tracked, 'depart');
  return true;
}

async function bringParcel(
  day: Day,
  me: DriverAtWork,
  run: DriverShipment,
  tracked: TrackedShipment,
): Promise<boolean> {
  if (tracked.plan.fate === 'absent' && !tracked.isFateDone)
    return report(day, me, tracked, 'recipient_absent', 'Personne ne répond');
  const code = await day.recipients.codeFor(tracked);
  if (code === null) return waitHere(tracked);
  const wrongTries = tracked.isFateDone
    ? 0
    : tracked.plan.fate === 'wrong-code'
      ? 2
      : tracked.plan.fate === 'locked'
        ? 5
        : 0;
  tracked.isFateDone = true;
  for (let tries = 1; tries <= wrongTries; tries++) {
    const { body } = await me.phone.send('deliver', { id: run.id, deliveryCode: notThis(code, tries) });
    day.seen.wrongCodes++;
    if (body.error === 'DELIVERY_CODE_LOCKED') return waitForOperator(tracked);
    if (body.error !== 'WRONG_DELIVERY_CODE') day.journal.report(tracked, `a wrong code answered ${body.error}`);
  }
  if (await step(day, me, run, tracked, 'deliver', { deliveryCode: code })) me.delivered++;
  return true;
}

/** The driver does nothing with it until the operator, who finds it in the inbox, has decided. */
function waitForOperator(tracked: TrackedShipment): true {
  tracked.isFateDone = true;
  tracked.isWithOperator = true;
  return true;
}

async function report(
  day: Day,
  me: DriverAtWork,
  tracked: TrackedShipment,
  kind: 'other' | 'recipient_absent',
  note: string,
): Promise<boolean> {
  waitForOperator(tracked); // before the report: the operator may be faster than its response
  day.seen.commands++;
  const commandId = randomUUID(); // a repetition after a lost response must not open it again
  const { status, body } = await me.phone.send('reportIncident', { id: tracked.id, kind, note, commandId });
  if (status !== 200) day.journal.report(tracked, `the incident answered ${status} ${JSON.stringify(body)}`);
  return true;
}

function waitHere(tracked: TrackedShipment): false {
  tracked.waitingSince ??= performance.now();
  return false;
}

const notThis = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

/** Sends the command and records its success. A refusal is correct only if the merchant cancelled at the same time. */
async function step(
  { journal, seen }: Day,
  me: DriverAtWork,
  run: DriverShipment,
  tracked: TrackedShipment,
  command: 'pickUp' | 'depart' | 'deliver' | 'abandon',
  payload: Record<string, unknown> = {},
): Promise<boolean> {
  seen.commands++;
  const { status, body, isDoubtful } = await me.phone.send(command, { id: run.id, ...payload });
  const act = { status: STEP_TO[command] as ShipmentStatus, channel: me.phone.channel, driverId: me.id };
  if (status === 200) {
    journal.note(tracked, act);
    run.status = act.status;
    return true;
  }
  if (isDoubtful) journal.note(tracked, { ...act, isCertain: false });
  const isRaced = tracked.plan.fate.startsWith('cancelled') && body.error === 'NOT_ALLOWED_NOW';
  if (!isRaced) journal.report(tracked, `${command} answered ${status} ${JSON.stringify(body)}`);
  return false;
}
