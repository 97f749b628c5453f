import { setTimeout } from 'node:timers/promises';
import {
  type AssignableDriver,
  type ConsoleShipment,
  type InboxEntry,
  type InboxKind,
  MOST_INBOX_ENTRIES,
  type ShipmentPage,
} from '@navette/contract';
import type { OperatorRecords } from './operator-records.ts';
import type { Place } from './paris.ts';
import type { PatientAnswer } from './patience.ts';
import type { StaffMember } from './staff.ts';

/** The operator: two people at the console. They know what the console shows, and what people say on the phone. */
export interface Operator {
  acts(): number;
  /** The entries that they worked on, by kind. */
  handled(): Record<string, number>;
  /** Works through the inbox until nothing is left to deliver. */
  work(isOver: () => boolean): Promise<void>;
  /** The entries that are left when all is delivered; none after a good day. */
  leftInInbox(): Promise<InboxEntry[]>;
}

/** A recipient who is called says where the parcel must go. Null: nobody answers. */
export type CallRecipient = (phone: string) => Place | null;

const LOOK_MS = 400;
const PATIENT_ROUNDS = 3; // the search is given some rounds before a person assigns a driver
const EMPTY_WITHIN_MS = 20_000;

export function seatOperator(
  [first, second]: readonly [StaffMember, StaffMember],
  callRecipient: CallRecipient,
  records: OperatorRecords,
): Operator {
  let acts = 0;
  const handled = new Map<InboxKind, Set<string>>();

  async function readInbox(): Promise<InboxEntry[]> {
    const { status, body } = await first.call('listInbox', { query: { limit: MOST_INBOX_ENTRIES } });
    if (status !== 200) throw new Error(`the inbox answered ${status} ${JSON.stringify(body)}`);
    return body.entries;
  }

  /** The next act of each kind that a day produces. */
  const nextActs: Partial<Record<InboxKind, (entry: InboxEntry) => Promise<void>>> = {
    code_locked: confirm,
    incident_open: decide,
    no_driver: findDriver,
    no_place: locate,
    approval_waiting: approve,
    // The call itself is not simulated: drivers of this day go on by themselves.
    late: take,
    nearly_late: take,
    driver_silent: take,
  };

  async function handle(entry: InboxEntry): Promise<void> {
    const act = nextActs[entry.kind];
    if (!act) return records.problem(null, `unexpected in the inbox: ${JSON.stringify(entry)}`);
    handled.set(entry.kind, (handled.get(entry.kind) ?? new Set()).add(entry.key));
    await act(entry);
  }

  /**
   * Whether the act was done: now, or by an earlier attempt whose response was lost. Anything but a change by somebody
   * else meanwhile is reported.
   */
  function isDone(shipmentId: string, { status, body, isDoubtful }: PatientAnswer, act: string): boolean {
    acts++;
    if (status === 200 || status === 202) return true;
    const isMeanwhile = body.error === 'CHANGED_MEANWHILE';
    if (isMeanwhile && isDoubtful && body.by === first.name && body.change === act) return true;
    if (!isMeanwhile) records.problem(shipmentId, `${act} answered ${status} ${JSON.stringify(body)}`);
    return false;
  }

  /** Above the limit of one person, the second one approves it: the entry comes with a next look at the inbox. */
  async function confirm({ subject: { id, version } }: InboxEntry): Promise<void> {
    const body = { reason: 'the recipient confirmed by phone', version: version ?? '' };
    const answer = await first.call('confirmDelivery', { params: { id }, body });
    if (isDone(id, answer, 'shipment.delivery_confirmed') && answer.status === 200) records.delivered(id);
  }

  async function approve({ subject }: InboxEntry): Promise<void> {
    const shipment = await readShipment(subject.title);
    const params = { id: subject.id };
    const { status, body, isDoubtful } = await second.call('decideApproval', { params, body: { approve: true } });
    acts++;
    const isDecided = status === 200 || (isDoubtful && body.by === second.name); // or its response was lost
    if (isDecided) records.delivered(shipment.id);
    else records.problem(shipment.id, `the approval answered ${status} ${JSON.stringify(body)}`);
  }

  /** A driver who cannot go on is replaced; a recipient who was absent is at home by now. */
  async function decide({ subject: { id, version }, facts }: InboxEntry): Promise<void> {
    const body = { resolution: 'tried_again', reason: 'called', version: version ?? '' } as const;
    const answer = await first.call('resolveIncident', { params: { id }, body });
    if (!isDone(id, answer, 'incident.resolved')) return;
    if (facts.incident === 'other') await replaceDriver(id);
    records.decided(id);
  }

  async function replaceDriver(id: string): Promise<void> {
    const { shipment, drivers } = await readDrivers(id);
    const next = drivers.find((driver) => driver.id !== shipment.driver?.id && !driver.warnings.includes('offline'));
    if (next) await assign(shipment, next);
    else records.problem(id, 'no other driver to assign');
  }

  /** Only a driver with capacity: a parcel for whom nobody is free yet waits for the search. */
  async function findDriver({ subject, facts }: InboxEntry): Promise<void> {
    if (Number(facts.rounds) < PATIENT_ROUNDS || facts.asked !== 0) return;
    const { shipment, drivers } = await readDrivers(subject.id);
    const next = drivers.find(({ warnings }) => warnings.every((warning) => warning === 'far'));
    if (next && shipment.status === 'created') await assign(shipment, next);
  }

  async function readDrivers(id: string) {
    const { body } = await first.call('listAssignableDrivers', { params: { id } });
    return body as { shipment: ConsoleShipment; drivers: AssignableDriver[] };
  }

  /** Recorded before the request: the driver may see the run before the response arrives. */
  async function assign({ id, version }: ConsoleShipment, { id: driverId }: AssignableDriver): Promise<void> {
    records.assigning(id, driverId);
    const answer = await first.call('assignShipment', { params: { id }, body: { driverId, version } });
    if (isDone(id, answer, 'shipment.assigned')) records.assigned(id, driverId);
    else records.notAssigned(id, driverId);
  }

  async function locate({ subject: { id } }: InboxEntry): Promise<void> {
    const { recipient } = await readShipment(id);
    const place = callRecipient(recipient?.phone ?? '');
    if (!place) return; // called again with the next look at the inbox
    const body = { address: 'delivery' as const, ...place };
    isDone(id, await first.call('setShipmentLocation', { params: { id }, body }), 'shipment.located');
  }

  async function readShipment(id: string): Promise<ShipmentPage> {
    const { status, body } = await first.call('readShipmentPage', { params: { id } });
    if (status !== 200) throw new Error(`the page of a shipment answered ${status} ${JSON.stringify(body)}`);
    return body.shipment;
  }

  /** The entry may have ended, or the response to an earlier attempt was lost. */
  async function take({ key, state, version }: InboxEntry): Promise<void> {
    if (state !== 'open') return;
    const { status, body } = await first.call('changeInboxEntry', {
      params: { key },
      body: { change: 'take', version },
    });
    acts++;
    if (![200, 404, 409].includes(status))
      records.problem(null, `taking ${key} answered ${status} ${JSON.stringify(body)}`);
  }

  return {
    acts: () => acts,
    handled: () => Object.fromEntries([...handled].map(([kind, keys]) => [kind, keys.size])),
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
