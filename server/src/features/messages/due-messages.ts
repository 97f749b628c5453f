import type { ShipmentStatus } from '@navette/contract';

export const MESSAGE_KINDS = ['recipient-sms', 'recipient-email', 'collection-sms', 'collection-email'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export interface ShipmentFacts {
  /** The status it has now, which may be a later one than the change that is being followed. */
  status: ShipmentStatus;
  /** The status it was created with: express is born `created`, everything else `programmed`. */
  bornAs: ShipmentStatus;
  isCollection: boolean;
}

/**
 * Who is to hear of a change. A recipient hears of an express shipment when it is created and of any other when a
 * driver is found, so `created` after `programmed` says nothing. An assignment is due to everybody who has not heard
 * yet, which for an express shipment is nobody unless its creation was never followed; the unique index keeps what was
 * said before from being said again.
 */
export function dueMessages(changedTo: ShipmentStatus, { status, bornAs, isCollection }: ShipmentFacts): MessageKind[] {
  const assigned = changedTo === 'assigned';
  const expressBirth = changedTo === 'created' && bornAs === 'created';
  const kinds: MessageKind[] = [
    ...(assigned || expressBirth ? (['recipient-sms', 'recipient-email'] as const) : []),
    ...(assigned && isCollection ? (['collection-sms', 'collection-email'] as const) : []),
  ];
  return kinds.filter((kind) => isWorthSending(kind, status));
}

const OVER: readonly ShipmentStatus[] = ['delivered', 'cancelled'];
const HANDED_OVER: readonly ShipmentStatus[] = ['picked_up', 'in_transit', ...OVER];

/** Nobody is told to expect a parcel that has come or will not come, nor to hand over one that is gone. */
export const tooLateFor = (kind: MessageKind): readonly ShipmentStatus[] =>
  kind.startsWith('collection') ? HANDED_OVER : OVER;

export const isWorthSending = (kind: MessageKind, status: ShipmentStatus): boolean =>
  !tooLateFor(kind).includes(status);
