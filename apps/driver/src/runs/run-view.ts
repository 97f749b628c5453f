import type { DriverShipment } from '@navette/contract';
import type { CommandName, OutboxEntry } from '../outbox/entry.ts';

/** A run as the driver sees it: the server's state, plus the commands that wait to be sent. */
export interface RunView {
  shipment: DriverShipment;
  /** Waiting commands of this run, oldest first. */
  waiting: OutboxEntry[];
  /** The driver has given the run back; the server has not received it yet. */
  isGivenBack: boolean;
}

type Step = { status: DriverShipment['status']; at: 'pickedUpAt' | 'departedAt' | 'deliveredAt' };
const STEPS: Partial<Record<CommandName, Step>> = {
  pickUp: { status: 'picked_up', at: 'pickedUpAt' },
  depart: { status: 'in_transit', at: 'departedAt' },
  deliver: { status: 'delivered', at: 'deliveredAt' },
};
const PROGRESS: readonly string[] = ['assigned', 'picked_up', 'in_transit', 'delivered'];

export function viewRuns(shipments: readonly DriverShipment[], entries: readonly OutboxEntry[]): RunView[] {
  return shipments.map((shipment) => viewRun(shipment, entries));
}

export function viewRun(shipment: DriverShipment, entries: readonly OutboxEntry[]): RunView {
  const waiting = entries
    .filter(({ state, shipmentId }) => state === 'waiting' && shipmentId === shipment.id)
    .toSorted((a, b) => a.seq - b.seq);
  return {
    shipment: waiting.reduce(applyCommand, shipment),
    waiting,
    isGivenBack: waiting.some(({ name }) => name === 'abandon'),
  };
}

function applyCommand(shipment: DriverShipment, { name, doneAt, body }: OutboxEntry): DriverShipment {
  if (name === 'reportIncident') {
    const { kind, note } = body as { kind: NonNullable<DriverShipment['incident']>['kind']; note?: string };
    const incident = {
      id: 'waiting',
      kind,
      note: note ?? null,
      reportedAt: doneAt,
      resolvedAt: null,
      resolution: null,
    };
    return { ...shipment, incident };
  }
  const step = STEPS[name];
  // The server may be ahead: its answer was lost, or another phone has done the step.
  if (!step || PROGRESS.indexOf(shipment.status) >= PROGRESS.indexOf(step.status)) return shipment;
  if (!PROGRESS.includes(shipment.status)) return shipment; // cancelled meanwhile
  return { ...shipment, status: step.status, [step.at]: doneAt };
}

/** The command behind the large button, and what the driver must present first. */
export interface NextStep {
  name: 'pickUp' | 'depart' | 'deliver';
  needs: 'nothing' | 'pickup-qr' | 'delivery-code';
}

export function nextStepOf({ status, isCollection }: Pick<DriverShipment, 'status' | 'isCollection'>): NextStep | null {
  if (status === 'assigned') return { name: 'pickUp', needs: isCollection ? 'pickup-qr' : 'nothing' };
  if (status === 'picked_up') return { name: 'depart', needs: 'nothing' };
  if (status === 'in_transit') return { name: 'deliver', needs: 'delivery-code' };
  return null;
}

export const isCarrying = ({ status }: Pick<DriverShipment, 'status'>): boolean =>
  status === 'picked_up' || status === 'in_transit';
