import {
  type MessageKind,
  OPTIONAL_MESSAGES,
  type OptionalMessage,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from '@navette/contract';

export interface ShipmentFacts {
  /** The current status, which may be later than the change that the job follows. */
  status: ShipmentStatus;
  /** The status at creation: `created` for express, `programmed` for the rest. */
  initialStatus: ShipmentStatus;
  isCollection: boolean;
  hasSlot: boolean;
  /** An earlier message announced the parcel, or may still: without one nobody expects a driver. */
  isAnnounced: boolean;
  /** Optional messages that the merchant wants. */
  wanted: ReadonlySet<OptionalMessage>;
}

/**
 * The messages due after a change. The recipient of an express shipment gets the first ones at creation, any other
 * recipient at the assignment; so `created` after `programmed` causes none. The assignment of an express shipment lists
 * them again, in case the creation was never followed: the unique index prevents duplicates.
 */
export function dueMessages(changedTo: ShipmentStatus, facts: ShipmentFacts): MessageKind[] {
  const { status, initialStatus, isCollection, hasSlot, isAnnounced, wanted } = facts;
  const assigned = changedTo === 'assigned';
  const expressCreated = changedTo === 'created' && initialStatus === 'created';
  const kinds: MessageKind[] = [
    ...(changedTo === 'programmed' && hasSlot ? (['booked-email'] as const) : []),
    ...(assigned || expressCreated ? (['recipient-sms', 'recipient-email'] as const) : []),
    ...(assigned && isCollection ? (['collection-sms', 'collection-email'] as const) : []),
    ...(changedTo === 'delivered' ? (['delivered-email'] as const) : []),
    ...(changedTo === 'cancelled' && isAnnounced ? (['cancelled-email'] as const) : []),
  ];
  return kinds.filter((kind) => isUpToDate(kind, status) && (!isOptional(kind) || wanted.has(kind)));
}

/** The changes that may cause a message. */
export const ANNOUNCED_CHANGES: readonly ShipmentStatus[] = [
  'programmed',
  'created',
  'assigned',
  'delivered',
  'cancelled',
];

const isOptional = (kind: MessageKind): kind is OptionalMessage => OPTIONAL_MESSAGES.some((one) => one === kind);

const ENDED: readonly ShipmentStatus[] = ['delivered', 'cancelled'];
const HANDED_OVER: readonly ShipmentStatus[] = ['picked_up', 'in_transit', ...ENDED];
const ASSIGNED: readonly ShipmentStatus[] = ['assigned', ...HANDED_OVER];
const NOT_ON_THE_WAY = SHIPMENT_STATUSES.filter((status) => status !== 'in_transit');

/**
 * Statuses in which a message is out of date. That a slot was booked, or that a zone has no driver, is replaced by the
 * messages of the assignment.
 */
const OUTDATED: Record<MessageKind, readonly ShipmentStatus[]> = {
  'booked-email': ASSIGNED,
  'recipient-sms': ENDED,
  'recipient-email': ENDED,
  'collection-sms': HANDED_OVER,
  'collection-email': HANDED_OVER,
  'zone-email': ASSIGNED,
  'next-email': NOT_ON_THE_WAY,
  'soon-sms': NOT_ON_THE_WAY,
  'delivered-email': [],
  'cancelled-email': [],
};

export const outdatedStatuses = (kind: MessageKind): readonly ShipmentStatus[] => OUTDATED[kind];

export const isUpToDate = (kind: MessageKind, status: ShipmentStatus): boolean =>
  !outdatedStatuses(kind).includes(status);
