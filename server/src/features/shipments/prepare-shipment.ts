import type { FieldError, PickupAddress, Shipment, ShipmentRequest, ShipmentSource } from '@navette/contract';
import { fieldErrors, messageOnly, type Refusal } from '../../http/refusal.ts';
import { type AccountSettings, presentPickupAddress } from '../accounts/index.ts';
import { knownCoordinates } from '../geocoding/index.ts';
import { priceParcel } from '../rates/index.ts';
import { nextLocalTime, resolveSchedule, type Schedule } from '../slots/index.ts';

/** A shipment that may be created as far as its request and its account's settings tell; money is judged later. */
export interface PreparedShipment {
  accountId: string;
  /** Which settings it was prepared with: when others hold by the time it is created, it is prepared anew. */
  settingsChangedAt: Date;
  idempotencyKey: string | null;
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
  /** Null for express: the moment of creation. */
  estimatedDelivery: Date | null;
  /** When a programmed shipment starts to look for a driver; null when nobody has agreed on a time. */
  activateAt: Date | null;
  externalReference: Shipment['externalReference'];
  metadata: Record<string, unknown>;
}

export interface PreparationContext {
  timeZone: string;
  activationLeadMinutes: number;
  now: Date;
}

/** What a shipment has that its request does not say. */
export interface Provenance {
  source: ShipmentSource;
  idempotencyKey: string | null;
}

const DEEPEST_METADATA = 20;

/** Pure: the same request, settings and time give the same shipment or the same refusal. */
export function prepareShipment(
  request: ShipmentRequest,
  { idempotencyKey, source }: Provenance,
  account: AccountSettings,
  context: PreparationContext,
): PreparedShipment | Refusal {
  const outcome = resolveSchedule(request, account.slots, context.timeZone, context.now);
  if (outcome.kind === 'refused') return messageOnly(400, outcome.message, outcome.slug);
  const schedule = outcome.kind === 'scheduled' ? outcome.schedule : null;
  const { parcelDetails, deliveryAddress, externalReference, metadata } = request;

  return {
    accountId: account.id,
    settingsChangedAt: account.changedAt,
    idempotencyKey,
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
    externalReference: {
      platform: source, // whatever the merchant sends
      orderId: externalReference?.orderId ?? null,
      shopDomain: externalReference?.shopDomain ?? null,
    },
    metadata: { ...metadata, ...(idempotencyKey === null ? {} : { idempotencyKey }) },
  };
}

/** Rules between fields that a schema does not say well. */
export function checkFieldsTogether({ isCollection, collectionContact, metadata }: ShipmentRequest): Refusal | null {
  const errors: FieldError[] = [];
  const add = (path: string, msg: string) => errors.push({ type: 'field', msg, path, location: 'body' });
  if (isCollection && !collectionContact?.phoneNumber)
    add('collectionContact.phoneNumber', 'Obligatoire pour une collecte.');
  if (isCollection && !collectionContact?.email) add('collectionContact.email', 'Obligatoire pour une collecte.');
  if (isDeeperThan(metadata, DEEPEST_METADATA)) add('metadata', `Au plus ${DEEPEST_METADATA} niveaux d’imbrication.`);
  return errors.length > 0 ? fieldErrors(errors) : null;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function readContact({ collectionContact }: ShipmentRequest) {
  const { phoneNumber = '', email = '', name = null } = collectionContact ?? {};
  return { phoneNumber, email, name };
}

/** The account's place unless the request names another for this shipment only. */
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
