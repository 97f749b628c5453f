import type { DriverEndpointName, DriverShipment, ShipmentStatus } from '@navette/contract';
import type { Story } from './book.ts';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { DriverAtWork } from './driver.ts';

const STEP_TO: Partial<Record<DriverEndpointName, ShipmentStatus>> = {
  pickUp: 'picked_up',
  depart: 'in_transit',
  deliver: 'delivered',
  abandon: 'created',
};

/** At the place where something is to be done with a run; false when somebody is still waited for. */
export async function takeNextStep(day: Day, me: DriverAtWork, run: DriverShipment): Promise<boolean> {
  const story = day.book.stories.get(run.id);
  if (!story) return false;
  if (run.status === 'assigned') return fetchParcel(day, me, run, story);
  return bringParcel(day, me, run, story);
}

async function fetchParcel(day: Day, me: DriverAtWork, run: DriverShipment, story: Story): Promise<boolean> {
  const { fate, isCollection, departs } = story.plan;
  if (!story.isFateDone) {
    if (fate === 'abandoned') {
      story.isFateDone = true;
      return step(day, me, run, story, 'abandon', { reason: 'Panne de vélo' });
    }
    if (fate === 'reassigned') return passTo(() => day.operator.reassign(story));
    if (fate === 'unassigned') return passTo(() => day.operator.unassign(story));
  }
  if (fate === 'straight') return bringParcel(day, me, run, story);
  const pickupToken = isCollection ? day.recipients.pickupTokenFor(story) : undefined;
  if (pickupToken === null) return waitHere(story);
  const cancelling = fate === 'cancelled-at-pickup' ? cancel(day, story) : null;
  const pickingUp = step(day, me, run, story, 'pickUp', pickupToken === undefined ? {} : { pickupToken });
  const [isDone] = await Promise.all([pickingUp, cancelling]);
  if (isDone && departs) await step(day, me, run, story, 'depart');
  return true;
}

async function bringParcel(day: Day, me: DriverAtWork, run: DriverShipment, story: Story): Promise<boolean> {
  const code = await day.recipients.codeFor(story);
  if (code === null) return waitHere(story);
  const wrongTries = story.isFateDone ? 0 : story.plan.fate === 'wrong-code' ? 2 : story.plan.fate === 'locked' ? 5 : 0;
  story.isFateDone = true;
  for (let tries = 1; tries <= wrongTries; tries++) {
    const { body } = await me.phone.say('deliver', { id: run.id, deliveryCode: notThis(code, tries) });
    day.seen.wrongCodes++;
    if (body.error === 'DELIVERY_CODE_LOCKED') return passTo(() => day.operator.confirm(story));
    if (body.error !== 'WRONG_DELIVERY_CODE') day.book.complain(story, `a wrong code answered ${body.error}`);
  }
  if (await step(day, me, run, story, 'deliver', { deliveryCode: code })) me.delivered++;
  return true;
}

function passTo(operator: () => void): true {
  operator();
  return true;
}

function waitHere(story: Story): false {
  story.waitingSince ??= performance.now();
  return false;
}

const notThis = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

/** Says it, and remembers the yes; a no is right only where the merchant cancelled at the same moment. */
async function step(
  { book, seen }: Day,
  me: DriverAtWork,
  run: DriverShipment,
  story: Story,
  command: 'pickUp' | 'depart' | 'deliver' | 'abandon',
  payload: Record<string, unknown> = {},
): Promise<boolean> {
  seen.commands++;
  const { status, body, isDoubtful } = await me.phone.say(command, { id: run.id, ...payload });
  const act = { status: STEP_TO[command] as ShipmentStatus, channel: me.phone.channel, driverId: me.id };
  if (status === 200) {
    book.note(story, act);
    run.status = act.status;
    return true;
  }
  if (isDoubtful) book.note(story, { ...act, isCertain: false });
  const isRaced = story.plan.fate.startsWith('cancelled') && body.error === 'NOT_ALLOWED_NOW';
  if (!isRaced) book.complain(story, `${command} answered ${status} ${JSON.stringify(body)}`);
  return false;
}
