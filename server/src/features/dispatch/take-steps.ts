import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type DriverNotification, notifyDriversJob, type SearchStep } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { quotePays } from '../driver-pay/index.ts';
import { assignNearest, type SearchContext } from './assign-nearest.ts';
import { type DriverFacts, readDriverAnswers, readDriverFacts, toCandidate } from './candidates.ts';
import { endSearch, expireOffers, listAllAsked, notifyDrivers } from './end-search.ts';
import { holdSearch } from './hold-search.ts';
import { type DueStep, planStep, type Step, type StepPlan } from './plan-step.ts';
import type { Candidate } from './plan-wave.ts';
import {
  isFirstStep,
  type LockedShipment,
  lockActiveSearches,
  lockShipments,
  newSearch,
  type Search,
} from './searches.ts';
import { type TimedResult, writeSteps } from './write-steps.ts';
import { findZonesOver, lockZonesForStep } from './zones.ts';

/**
 * The drivers whose open offers the caller pushes after the commit; or why nothing was done: the step needs more candidates, or
 * a transaction of its own.
 */
export type StepOutcome = { asked: string[] } | 'look further' | 'by itself';

const NOBODY: StepOutcome = { asked: [] };

/**
 * Locks the shipments, then takes the next step of each search, unless its job is out of date. Together they cost little
 * more than one. An assignment, the end of a search and waiting for a zone lock further rows, so each has a transaction
 * of its own.
 *
 * A caller that died before it pushed the offers runs again, and gets the same drivers again. This holds for a search that
 * runs now; the step of a timer has passed by then, so a timer enqueues the pushes.
 */
export async function takeSteps(tx: Tx, context: SearchContext, steps: Step[]): Promise<StepOutcome[]> {
  const isAlone = steps.length === 1;
  const ofShipment = new Map(steps.map((step) => [step.wanted.shipmentId, step])); // a second one has to wait
  const outcomes = new Map<string, StepOutcome>();
  const due = await lockAndChoose(tx, context.jobs, [...ofShipment.values()], outcomes, isAlone);
  await expireOffers(tx, context.jobs, due);
  await takeDue(tx, context, due, outcomes, isAlone);
  return steps.map((step) => {
    const { shipmentId } = step.wanted;
    return (ofShipment.get(shipmentId) === step && outcomes.get(shipmentId)) || 'by itself';
  });
}

/** The steps that have to be taken, with the outcomes of the others. */
async function lockAndChoose(
  tx: Tx,
  jobs: JobSender,
  steps: Step[],
  outcomes: Map<string, StepOutcome>,
  isAlone: boolean,
): Promise<DueStep[]> {
  const wanted = steps.map((step) => step.wanted);
  const shipments = await lockShipments(tx, wanted, { skipLocked: !isAlone }); // others must not wait for one that is held
  const searches = await lockActiveSearches(
    tx,
    wanted.filter(({ shipmentId }) => shipments.has(shipmentId)),
  );
  const offered = await listAllAsked(tx, [...searches.values()]);
  const due: DueStep[] = [];
  for (const step of steps) {
    const { shipmentId, timer } = step.wanted;
    const shipment = shipments.get(shipmentId);
    const active = searches.get(shipmentId) ?? null;
    const asked = (active && offered.get(active.id)) ?? [];
    if (!shipment) outcomes.set(shipmentId, isAlone ? NOBODY : 'by itself');
    else if (shipment.status !== 'created') {
      if (isAlone) await endUnneeded(tx, jobs, shipment, active, step.now);
      outcomes.set(shipmentId, isAlone || (!active && shipment.status !== 'cancelled') ? NOBODY : 'by itself');
    } else if (!active) due.push({ ...step, search: newSearch(shipment), asked });
    else if (isDue(timer, active, asked)) due.push({ ...step, search: active, asked });
    else outcomes.set(shipmentId, { asked: timer ? [] : asked });
  }
  return due;
}

/** A timer is due in the step it was set for. Without one, unless drivers were asked, or a retry is set. */
const isDue = (timer: SearchStep['timer'], { id, step, state }: Search, asked: string[]): boolean =>
  timer ? timer.searchId === id && timer.step === step : asked.length === 0 && state !== 'unassigned';

/** Ends the search of a shipment that needs no driver any more. Notifies the driver of a cancelled run. */
async function endUnneeded(tx: Tx, jobs: JobSender, shipment: LockedShipment, search: Search | null, now: Date) {
  const { accountId, id: shipmentId, status, driverId } = shipment;
  if (search) await endSearch(tx, jobs, search, { state: 'stopped', now, details: { status } });
  if (status === 'cancelled' && driverId) {
    await notifyDrivers(tx, jobs, { accountId, shipmentId }, [driverId], 'shipment-changed');
  }
}

async function takeDue(
  tx: Tx,
  context: SearchContext,
  due: DueStep[],
  outcomes: Map<string, StepOutcome>,
  isAlone: boolean,
): Promise<void> {
  const planner = await readPlanner(tx, context, due);
  const results: TimedResult[] = [];
  const notifications: Traced<DriverNotification>[] = [];
  for (const step of due) {
    const { accountId, shipmentId, timer, traceparent } = step.wanted;
    const planned = await take(tx, context, step, planner, isAlone);
    if (planned === 'look further' || planned === 'by itself') {
      outcomes.set(shipmentId, planned);
      continue;
    }
    const asked = planned?.offers?.drivers.map(({ driverId }) => driverId) ?? [];
    planner.countOffers(asked);
    outcomes.set(shipmentId, { asked: timer ? [] : asked });
    if (planned) results.push(planned);
    if (timer && asked.length > 0) {
      notifications.push({ accountId, shipmentId, driverIds: asked, push: 'offer', traceparent });
    }
  }
  await writeSteps(tx, context.jobs, results);
  await context.jobs.sendAll(
    tx,
    notifyDriversJob,
    notifications.map((payload) => ({ payload })),
  );
}

/** Returns the result to write, or null when it is written. */
async function take(
  tx: Tx,
  context: SearchContext,
  step: DueStep,
  { plan }: Planner,
  isAlone: boolean,
): Promise<TimedResult | null | 'look further' | 'by itself'> {
  const busy = new Set<string>();
  for (;;) {
    const planned = plan(step, busy);
    if (planned.kind === 'go on') return planned.result;
    if (planned.kind === 'look further') return planned.kind;
    if (!isAlone) return 'by itself';
    if (planned.kind === 'hold') {
      await holdSearch(tx, context, step.search, planned.zone, step);
      return null;
    }
    if (await assignNearest(tx, context, step, planned)) return null;
    busy.add(planned.driver.driverId);
  }
}

interface Planner {
  /** Plans a step, without the drivers who have become busy. */
  plan: (step: DueStep, busy: ReadonlySet<string>) => StepPlan;
  /** A new offer counts as open in the steps that are planned after it. */
  countOffers: (driverIds: string[]) => void;
}

/** Reads the facts about all of the steps. */
async function readPlanner(tx: Tx, { config }: SearchContext, due: DueStep[]): Promise<Planner> {
  const located = due.filter(({ place }) => place);
  if (located.length === 0) {
    return { plan: (step) => planStep(step, { candidates: [], payCents: 0 }, config.dispatch), countOffers: () => {} };
  }
  await lockZonesForStep(tx);
  const zoneOver = await findZonesOver(tx, located);
  const asking = located.filter(({ wanted, near }) => near && !zoneOver(wanted.shipmentId));
  const facts = await readFacts(tx, asking);
  const known = asking
    .filter(({ search }) => !isFirstStep(search))
    .map(({ search, near }) => ({ search, driverIds: idsOf(near) }));
  const answersOf = await readDriverAnswers(tx, known);
  const payFor = await quotePays(
    tx,
    config.driverPay,
    asking.map(({ wanted }) => wanted),
  );

  function candidatesOf({ search, near, isTest, wanted }: DueStep, busy: ReadonlySet<string>): Candidate[] {
    const twinId = isTest ? wanted.accountId : null;
    return (near?.drivers ?? []).flatMap((driver): Candidate[] => {
      const { driverId } = driver;
      const own = facts.get(driverId);
      if (!own || own.twinId !== twinId) return [];
      const candidate = toCandidate(driver, own, answersOf(search.id, driverId), config.dispatch.runsPerDriver);
      return [busy.has(driverId) ? { ...candidate, obstacle: 'busy' } : candidate];
    });
  }

  return {
    plan(step, busy) {
      const { shipmentId } = step.wanted;
      const stepFacts = {
        zone: zoneOver(shipmentId),
        candidates: candidatesOf(step, busy),
        payCents: payFor(shipmentId),
      };
      return planStep(step, stepFacts, config.dispatch);
    },
    countOffers(driverIds) {
      for (const id of driverIds) {
        const asked = facts.get(id);
        if (asked) asked.offers++;
      }
    },
  };
}

/** Open offers count until they expire by the clock of a step: those of a twin's robots have its clock. */
async function readFacts(tx: Tx, steps: DueStep[]): Promise<Map<string, DriverFacts>> {
  const byClock = Map.groupBy(steps, ({ aheadMs }) => aheadMs);
  const facts = new Map<string, DriverFacts>();
  for (const sharing of byClock.values()) {
    const ids = new Set(sharing.flatMap(({ near }) => idsOf(near)));
    const now = new Date(Math.min(...sharing.map((step) => step.now.getTime())));
    for (const [id, one] of await readDriverFacts(tx, [...ids], now)) facts.set(id, one);
  }
  return facts;
}

const idsOf = (near: DueStep['near']) => near?.drivers.map(({ driverId }) => driverId) ?? [];
