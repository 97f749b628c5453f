import type { Journal } from './journal.ts';

/** The acts of the operator, for the comparison at the end of the day and for drivers who wait. The operator reads nothing of it. */
export interface OperatorRecords {
  /** Before the request, and whether it was done. */
  assigning(shipmentId: string, driverId: string): void;
  assigned(shipmentId: string, driverId: string): void;
  notAssigned(shipmentId: string, driverId: string): void;
  /** Confirmed without the recipient's code. */
  delivered(shipmentId: string): void;
  /** An incident: its driver goes on. */
  decided(shipmentId: string): void;
  problem(shipmentId: string | null, what: string): void;
  /** Whether the operator assigned this shipment to this driver. */
  hasAssigned(shipmentId: string, driverId: string): boolean;
}

export function openOperatorRecords(journal: Journal): OperatorRecords {
  const given = new Set<string>();
  const gift = (shipmentId: string, driverId: string) => `${shipmentId} ${driverId}`;
  return {
    assigning: (id, driverId) => void given.add(gift(id, driverId)),
    assigned: (id, driverId) =>
      journal.onceOpen(id, (tracked) => journal.note(tracked, { status: 'assigned', channel: 'http', driverId })),
    notAssigned: (id, driverId) => void given.delete(gift(id, driverId)),
    delivered: (id) =>
      journal.onceOpen(id, (tracked) => {
        journal.note(tracked, { status: 'delivered', channel: 'http', driverId: tracked.holder });
        tracked.isWithOperator = false;
      }),
    decided: (id) =>
      journal.onceOpen(id, (tracked) => {
        tracked.isWithOperator = false;
      }),
    problem: (id, what) => journal.report(id ? (journal.trackedShipments.get(id) ?? null) : null, what),
    hasAssigned: (id, driverId) => given.has(gift(id, driverId)),
  };
}
