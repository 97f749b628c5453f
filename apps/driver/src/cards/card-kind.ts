import type { CommandRefusal, OutboxEntry } from '../outbox/entry.ts';

export type CardKind =
  | 'cancelled'
  | 'wrongCode'
  | 'codeLocked'
  | 'wrongQr'
  | 'wrongPickup'
  | 'reused'
  | 'gone'
  | 'offerGone'
  | 'photo'
  | 'other'
  | 'unavailable';

const BY_SLUG: Record<string, CardKind> = {
  WRONG_DELIVERY_CODE: 'wrongCode',
  DELIVERY_CODE_REQUIRED: 'wrongCode',
  DELIVERY_CODE_LOCKED: 'codeLocked',
  WRONG_DELIVERY_QR: 'wrongQr',
  PICKUP_TOKEN_REQUIRED: 'wrongPickup',
  WRONG_PICKUP_TOKEN: 'wrongPickup',
  COMMAND_ID_REUSED: 'reused',
  OFFER_GONE: 'offerGone',
  TOO_MANY_RUNS: 'offerGone',
  NOT_AN_IMAGE: 'photo',
  TOO_MANY_PROOFS: 'photo',
};

/** The card for a refused command: what has happened, and what the driver can do. */
export function cardKindOf({ name, refusal }: Pick<OutboxEntry, 'name' | 'refusal'>): CardKind {
  if (name === 'setAvailability') return 'unavailable';
  if (refusal?.shipmentStatus === 'cancelled') return 'cancelled';
  if (isGone(refusal)) return name === 'acceptOffer' || name === 'refuseOffer' ? 'offerGone' : 'gone';
  return BY_SLUG[refusal?.slug ?? ''] ?? (name === 'addProof' ? 'photo' : 'other');
}

const isGone = (refusal: CommandRefusal | null) => refusal?.shipmentStatus === 'gone' || refusal?.status === 404;

/** Whether the run can still be opened from the card. */
export const leadsToRun = (kind: CardKind): boolean =>
  kind === 'wrongCode' ||
  kind === 'wrongQr' ||
  kind === 'wrongPickup' ||
  kind === 'reused' ||
  kind === 'photo' ||
  kind === 'other';
/** Whether the operator must decide. */
export const needsOperator = (kind: CardKind | 'returned'): boolean =>
  kind === 'cancelled' || kind === 'codeLocked' || kind === 'gone' || kind === 'returned' || kind === 'other';
