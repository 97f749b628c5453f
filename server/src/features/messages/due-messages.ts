import type { ShipmentStatus } from '@navette/contract';

export const MESSAGE_KINDS = ['recipient-sms', 'recipient-email', 'collection-sms', 'collection-email'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export interface ShipmentFacts {
  /** The current status, which may be later than the change that the job follows. */
  status: ShipmentStatus;
  /** The status at creation: `created` for express, `programmed` for the rest. */
  initialStatus: ShipmentStatus;
  isCollection: boolean;
}

/**
 * The messages due after a change. The recipient of an express shipment gets them at creation, any other recipient at
 * the assignment; so `created` after `programmed` causes none. The assignment of an express shipment lists them again, in
 * case the creation was never followed: the unique index prevents duplicates.
 */
export function dueMessages(
  changedTo: ShipmentStatus,
  { status, initialStatus, isCollection }: ShipmentFacts,
): MessageKind[] {
  const assigned = changedTo === 'assigned';
  const expressCreated = changedTo === 'created' && initialStatus === 'created';
  const kinds: MessageKind[] = [
    ...(assigned || expressCreated ? (['recipient-sms', 'recipient-email'] as const) : []),
    ...(assigned && isCollection ? (['collection-sms', 'collection-email'] as const) : []),
  ];
  return kinds.filter((kind) => isUpToDate(kind, status));
}

const ENDED: readonly ShipmentStatus[] = ['delivered', 'cancelled'];
const HANDED_OVER: readonly ShipmentStatus[] = ['picked_up', 'in_transit', ...ENDED];

/** Statuses in which a message is out of date: the parcel was delivered, cancelled or, for a contact, picked up. */
export const outdatedStatuses = (kind: MessageKind): readonly ShipmentStatus[] =>
  kind.startsWith('collection') ? HANDED_OVER : ENDED;

export const isUpToDate = (kind: MessageKind, status: ShipmentStatus): boolean =>
  !outdatedStatuses(kind).includes(status);
