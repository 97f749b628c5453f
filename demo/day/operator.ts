import { setTimeout } from 'node:timers/promises';
import type { AssignableDriver, ConsoleShipment, InboxEntry } from '@navette/contract';
import type { Journal, TrackedShipment } from './journal.ts';
import type { PatientAnswer } from './patience.ts';
import type { StaffMember } from './staff.ts';

/** The operator: two people at the console. The inbox is their only source of work. */
export interface Operator {
  /** Whether the operator assigned this shipment to this driver. */
  gave(tracked: TrackedShipment, driverId: string): boolean;
  acts(): number;
  /** Works through the inbox until nothing is left to deliver. */
  work(isOver: () => boolean): Promise<void>;
  /** The entries that are left when all is delivered; none after a good day. */
  leftInInbox(): Promise<InboxEntry[]>;
}

const LOOK_MS = 400;
const PATIENT_ROUNDS = 3; // the search is given some rounds before a person assigns a driver
const EMPTY_WITHIN_MS = 20_000;

/** Entries that end by themselves or by another person: nobody calls a driver of this day. */
const IGNORED: InboxEntry['kind'][] = ['late', 'nearly_late', 'driver_silent'];

export function seatOperator([first, second]: readonly [StaffMember, StaffMember], journal: Journal): Operator {
  const given = new Set<string>();
  let acts = 0;

  async function readInbox(): Promise<InboxEntry[]> {
    const { status, body } = await first.call('listInbox');
    if (status !== 200) throw new Error(`the inbox answered ${status} ${JSON.stringify(body)}`);
    return body.entries;
  }

  async function handle(entry: InboxEntry): Promise<void> {
    const tracked = journal.trackedShipments.get(entry.subject.id);
    if (entry.kind === 'approval_waiting') return approve(entry);
    if (IGNORED.includes(entry.kind)) return;
    if (!tracked) {
      if (entry.subject.type !== 'shipment') journal.report(null, `unexpected in the inbox: ${JSON.stringify(entry)}`);
      return; // the response to its creation is still under way
    }
    if (entry.kind === 'code_locked') await confirm(tracked, entry);
    else if (entry.kind === 'incident_open') await decide(tracked, entry);
    else if (entry.kind === 'no_driver') await findDriver(tracked, entry);
    else if (entry.kind === 'no_place') await locate(tracked);
    else journal.report(tracked, `unexpected in the inbox: ${JSON.stringify(entry)}`);
  }

  /**
   * Whether the act was done: now, or by an earlier attempt whose response was lost. Anything but a change by somebody
   * else meanwhile is reported.
   */
  function isDone(tracked: TrackedShipment, { status, body, isDoubtful }: PatientAnswer, act: string): boolean {
    acts++;
    if (status === 200 || status === 202) return true;
    const isMeanwhile = body.error === 'CHANGED_MEANWHILE';
    if (isMeanwhile && isDoubtful && body.by === first.name && body.change === act) return true;
    if (!isMeanwhile) journal.report(tracked, `${act} answered ${status} ${JSON.stringify(body)}`);
    return false;
  }

  /** Above the limit of one person, the second one approves it: the entry comes with a next look at the inbox. */
  async function confirm(tracked: TrackedShipment, { subject }: InboxEntry): Promise<void> {
    const body = { reason: 'the recipient confirmed by phone', version: subject.version ?? '' };
    const answer = await first.call('confirmDelivery', { params: { id: tracked.id }, body });
    if (!isDone(tracked, answer, 'shipment.delivery_confirmed') || answer.status === 202) return;
    journal.note(tracked, { status: 'delivered', channel: 'http', driverId: tracked.holder });
    tracked.isWithOperator = false;
  }

  async function approve({ subject }: InboxEntry): Promise<void> {
    const params = { id: subject.id };
    const { status, body, isDoubtful } = await second.call('decideApproval', { params, body: { approve: true } });
    acts++;
    const isDecided = status === 200 || (isDoubtful && body.by === second.name); // or its response was lost
    const tracked = [...journal.trackedShipments.values()].find((one) => one.referenceNumber === subject.title);
    if (!isDecided || !tracked) {
      journal.report(tracked ?? null, `the approval answered ${status} ${JSON.stringify(body)}`);
      return;
    }
    journal.note(tracked, { status: 'delivered', channel: 'http', driverId: tracked.holder });
    tracked.isWithOperator = false;
  }

  /** A driver who cannot go on is replaced; a recipient who was absent is at home by now. */
  async function decide(tracked: TrackedShipment, { subject, facts }: InboxEntry): Promise<void> {
    const body = { resolution: 'tried_again', reason: 'called', version: subject.version ?? '' } as const;
    const answer = await first.call('resolveIncident', { params: { id: tracked.id }, body });
    if (!isDone(tracked, answer, 'incident.resolved')) return;
    if (facts.incident === 'other') await replaceDriver(tracked);
    tracked.isWithOperator = false;
  }

  async function replaceDriver(tracked: TrackedShipment): Promise<void> {
    const { shipment, drivers } = await readDrivers(tracked);
    const next = drivers.find(({ id, warnings }) => id !== shipment.driver?.id && !warnings.includes('offline'));
    if (next) await assign(tracked, next, shipment.version);
    else journal.report(tracked, 'no other driver to assign');
  }

  /** Only a driver with capacity: a parcel for whom nobody is free yet waits for the search. */
  async function findDriver(tracked: TrackedShipment, { facts }: InboxEntry): Promise<void> {
    if (Number(facts.rounds) < PATIENT_ROUNDS || facts.asked !== 0) return;
    const { shipment, drivers } = await readDrivers(tracked);
    const next = drivers.find(({ warnings }) => warnings.every((warning) => warning === 'far'));
    if (next && shipment.status === 'created') await assign(tracked, next, shipment.version);
  }

  async function readDrivers(tracked: TrackedShipment) {
    const { body } = await first.call('listAssignableDrivers', { params: { id: tracked.id } });
    return body as { shipment: ConsoleShipment; drivers: AssignableDriver[] };
  }

  /** Recorded before the request: the driver may see the run before the response arrives. */
  async function assign(tracked: TrackedShipment, { id: driverId }: AssignableDriver, version: string): Promise<void> {
    const gift = `${tracked.id} ${driverId}`;
    given.add(gift);
    const answer = await first.call('assignShipment', { params: { id: tracked.id }, body: { driverId, version } });
    if (isDone(tracked, answer, 'shipment.assigned'))
      journal.note(tracked, { status: 'assigned', channel: 'http', driverId });
    else given.delete(gift);
  }

  async function locate(tracked: TrackedShipment): Promise<void> {
    const body = { address: 'delivery' as const, ...tracked.plan.to };
    isDone(tracked, await first.call('setShipmentLocation', { params: { id: tracked.id }, body }), 'shipment.located');
  }

  return {
    gave: (tracked, driverId) => given.has(`${tracked.id} ${driverId}`),
    acts: () => acts,
    async work(isOver) {
      while (!isOver()) {
        for (const entry of await readInbox()) await handle(entry);
        await setTimeout(LOOK_MS);
      }
    },
    async leftInInbox() {
      const deadline = performance.now() + EMPTY_WITHIN_MS;
      for (;;) {
        const entries = await readInbox();
        if (entries.length === 0 || performance.now() > deadline) return entries;
        await setTimeout(LOOK_MS);
      }
    },
  };
}
