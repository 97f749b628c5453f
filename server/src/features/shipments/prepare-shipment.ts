import type { PickupAddress, Shipment, ShipmentRequest, ShipmentSource } from '@navette/contract';
import { nextLocalTime } from '../../calendar/local-calendar.ts';
import type { FreeContent } from '../../database/json-columns.ts';
import { fieldErrors, messageOnly, type Refusal } from '../../refusals/refusal.ts';
import { type AccountSettings, presentPickupAddress } from '../accounts/index.ts';
import { knownCoordinates } from '../geocoding/index.ts';
import { priceParcel } from '../rates/index.ts';
import { resolveSchedule, type Schedule } from '../slots/index.ts';
import { checkFreeContent, readExternalReference, readMetadata } from './free-content.ts';
import { storedKeyOf } from './idempotency-keys.ts';
import type { ClaimedOccurrence } from './occurrence-claims.ts';

/** A shipment that its request and its account's settings allow. Funds are checked later, by the insert. */
export interface PreparedShipment {
  accountId: string;
  /** The version of the settings it was prepared with. If it has changed when it is inserted, it is prepared again. */
  settingsVersion: number;
  /** As stored, see `storedKeyOf`. */
  idempotencyKey: string | null;
  /** The occurrence of a recurring shipment that this one is. */
  occurrence: ClaimedOccurrence | null;
  status: 'created' | 'programmed';
  priceCents: number;
  parcelDetails: Shipment['parcelDetails'];
  notes: string | null;
  isCollection: boolean;
  collectionContact: { phoneNumber: string; email: string; name: string | null } | null;
  groupReference: string | null;
  pickupAddress: PickupAddress;
  deliveryAddress: Shipment['deliveryAddress'];
  schedule: Schedule | null;
  /** Null for express, which means the time of creation. */
  estimatedDelivery: Date | null;
  /** When the search for a driver of a programmed shipment starts; null while no time is agreed. */
  activateAt: Date | null;
  externalReference: Shipment['externalReference'];
  externalReferenceExtra: FreeContent | null;
  metadata: FreeContent;
}

export interface PreparationContext {
  timeZone: string;
  activationLeadMinutes: number;
  now: Date;
}

/** Where a request came from, and its idempotency key. */
export interface Provenance {
  source: ShipmentSource;
  idempotencyKey: string | null;
  occurrence?: ClaimedOccurrence;
}

/** Pure: the same request, settings and time give the same shipment or the same refusal. */
export function prepareShipment(
  request: ShipmentRequest,
  { idempotencyKey, source, occurrence }: Provenance,
  account: AccountSettings,
  context: PreparationContext,
): PreparedShipment | Refusal {
  const outcome = resolveSchedule(request, account.slots, context.timeZone, context.now);
  if (outcome.kind === 'refused') return messageOnly(400, outcome.message, outcome.slug);
  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { parcelDetails, deliveryAddress } = request;

  return {
    accountId: account.id,
    settingsVersion: account.settingsVersion,
    idempotencyKey: idempotencyKey === null ? null : storedKeyOf(account, idempotencyKey),
    occurrence: occurrence ?? null,
    status: schedule || account.isSpecialRequest ? 'programmed' : 'created',
    priceCents: priceParcel(parcelDetails.weight, schedule, account).cents,
    parcelDetails: { weight: parcelDetails.weight, nature: parcelDetails.nature },
    notes: request.notes ?? null,
    isCollection: request.isCollection ?? false,
    collectionContact: request.isCollection ? readContact(request) : null,
    groupReference: request.groupReference ?? null,
    pickupAddress: choosePickup(request, account),
    deliveryAddress: {
      recipientName: deliveryAddress.recipientName,
      street: deliveryAddress.street,
      city: deliveryAddress.city,
      postalCode: deliveryAddress.postalCode,
      country: deliveryAddress.country ?? 'France',
      phoneNumber: deliveryAddress.phoneNumber,
      email: deliveryAddress.email,
      coordinates: knownCoordinates(deliveryAddress.coordinates),
    },
    schedule,
    ...timing(schedule, account, context),
    ...readExternalReference(request, source),
    metadata: readMetadata(request, idempotencyKey),
  };
}

/** Validates rules across fields, which the schema does not express. */
export function checkFieldsTogether(request: ShipmentRequest, idempotencyKey: string | null = null): Refusal | null {
  const { isCollection, collectionContact } = request;
  const errors = checkFreeContent(request, idempotencyKey);
  const add = (path: string, msg: string) => errors.push({ type: 'field', msg, path, location: 'body' });
  if (isCollection && !collectionContact?.phoneNumber)
    add('collectionContact.phoneNumber', 'Obligatoire pour une collecte.');
  if (isCollection && !collectionContact?.email) add('collectionContact.email', 'Obligatoire pour une collecte.');
  return errors.length > 0 ? fieldErrors(errors) : null;
}

function readContact({ collectionContact }: ShipmentRequest) {
  const { phoneNumber = '', email = '', name = null } = collectionContact ?? {};
  return { phoneNumber, email, name };
}

/** The request's pickup address if it has one, else the account's. */
function choosePickup({ pickupAddress }: ShipmentRequest, account: AccountSettings): PickupAddress {
  if (pickupAddress) {
    const point = knownCoordinates(pickupAddress.coordinates);
    return {
      location: point && { type: 'Point', coordinates: [point.longitude, point.latitude] },
      street: pickupAddress.street,
      city: pickupAddress.city,
      postalCode: pickupAddress.postalCode,
      country: pickupAddress.country ?? 'France',
    };
  }
  if (!account.pickupAddress) throw new Error('an account without a pickup address is refused before this');
  return presentPickupAddress(account.pickupAddress);
}

function timing(schedule: Schedule | null, account: AccountSettings, context: PreparationContext) {
  if (schedule) {
    const activateAt = new Date(schedule.startsAt.getTime() - context.activationLeadMinutes * 60_000);
    return { estimatedDelivery: schedule.endsAt, activateAt };
  }
  if (account.isSpecialRequest && account.agreedPickupTime) {
    const agreed = nextLocalTime(account.agreedPickupTime, context.timeZone, context.now);
    return { estimatedDelivery: agreed, activateAt: agreed };
  }
  return { estimatedDelivery: null, activateAt: null };
}
