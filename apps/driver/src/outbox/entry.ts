import type { ShipmentStatus } from '@navette/contract/statuses';

/** Commands that change something on the server. Each is stored before it is sent. */
export type CommandName =
  | 'setAvailability'
  | 'acceptOffer'
  | 'refuseOffer'
  | 'pickUp'
  | 'depart'
  | 'deliver'
  | 'abandon'
  | 'reportIncident'
  | 'addProof';

export interface Command {
  name: CommandName;
  /** Null for a command that concerns no shipment. */
  shipmentId: string | null;
  /** For display. */
  referenceNumber: string | null;
  body: Record<string, unknown>;
}

export interface CommandRefusal {
  /** HTTP status. */
  status: number;
  slug: string | null;
  /** The server's message, in French. */
  message: string;
  /** Further fields, such as `attemptsLeft`. */
  extra: Record<string, unknown>;
  /** Status of the shipment when the server refused; `gone` when it is not this driver's any more. */
  shipmentStatus: ShipmentStatus | 'gone' | null;
}

/**
 * A command on its way to the server.
 *
 * waiting → (removed): the server has applied it, once, however often it was sent.
 * waiting → refused: the server will never apply it; a card shows the reason until the driver dismisses it.
 * waiting → dropped: it depended on a step that was refused, and was never sent.
 */
export interface OutboxEntry extends Command {
  /** Order of creation, given by the database. */
  seq: number;
  commandId: string;
  driverId: string;
  /** In the server's time as far as the app knows it; fixed, because a repetition must be the same command. */
  doneAt: string;
  state: 'waiting' | 'refused' | 'dropped';
  attempts: number;
  /** Phone's clock, ms. */
  nextAttemptAt: number;
  refusal: CommandRefusal | null;
}

const STEPS: readonly CommandName[] = ['acceptOffer', 'pickUp', 'depart', 'deliver', 'abandon'];
export const isStep = (name: CommandName): boolean => STEPS.includes(name);

/**
 * Entries of one lane are sent in order; lanes do not wait for each other. Photos have their own lane, so that a slow
 * upload does not delay a delivery.
 */
export function laneOf({ name, shipmentId }: Pick<OutboxEntry, 'name' | 'shipmentId'>): string {
  if (shipmentId === null) return 'session';
  return name === 'addProof' ? `files ${shipmentId}` : `steps ${shipmentId}`;
}
