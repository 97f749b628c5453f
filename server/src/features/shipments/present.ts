import type { Shipment, ShipmentStatus, WebhookEvent } from '@navette/contract';
import { toEuros } from '../ledger/index.ts';
import type { PreparedShipment } from './prepare-shipment.ts';

/** What a creation adds to a prepared shipment. */
export interface Birth {
  id: string;
  referenceNumber: string;
  labelSuffix: string;
  createdAt: Date;
}

const pdfUrlOf = (referenceNumber: string, labelSuffix: string) =>
  `/pdfs/bordereau_${referenceNumber}_${labelSuffix}.pdf`;

/** The answer of a creation, from what was written. Reads build the same fields in SQL (document-json.ts). */
export function presentCreated(shipment: PreparedShipment, birth: Birth): Shipment {
  const { schedule, estimatedDelivery } = shipment;
  const createdAt = birth.createdAt.toISOString();
  return {
    _id: birth.id,
    referenceNumber: birth.referenceNumber,
    status: shipment.status,
    price: toEuros(shipment.priceCents),
    parcelDetails: shipment.parcelDetails,
    notes: shipment.notes,
    isCollection: shipment.isCollection,
    groupReference: shipment.groupReference,
    pickupAddress: shipment.pickupAddress,
    deliveryAddress: shipment.deliveryAddress,
    scheduledDelivery: {
      date: schedule?.date ?? null,
      timeSlot: schedule?.label ?? null,
      datetime: schedule?.startsAt.toISOString() ?? null,
    },
    externalReference: shipment.externalReference,
    estimatedDeliveryDate: (estimatedDelivery ?? birth.createdAt).toISOString(),
    pdfUrl: pdfUrlOf(birth.referenceNumber, birth.labelSuffix),
    createdAt,
    updatedAt: createdAt,
  };
}

export interface EventSubject {
  id: string;
  accountId: string;
  referenceNumber: string;
  status: ShipmentStatus;
  priceCents: number;
  externalReference: Shipment['externalReference'];
  createdAt: Date;
  updatedAt: Date;
  pickupAddress: Shipment['pickupAddress'];
  deliveryAddress: Shipment['deliveryAddress'];
  driverId: string | null;
}

/** The exact bytes a webhook will carry. A whitelist: a field that is not named here cannot reach a merchant. */
export function eventBody(event: WebhookEvent, at: Date, subject: EventSubject): string {
  const { pickupAddress: from, deliveryAddress: to, driverId } = subject;
  return JSON.stringify({
    event,
    timestamp: at.toISOString(),
    data: {
      id: subject.id,
      professionalId: subject.accountId,
      referenceNumber: subject.referenceNumber,
      status: subject.status,
      price: toEuros(subject.priceCents),
      externalReference: subject.externalReference,
      createdAt: subject.createdAt.toISOString(),
      updatedAt: subject.updatedAt.toISOString(),
      pickupAddress: { street: from.street, city: from.city, postalCode: from.postalCode, country: from.country },
      deliveryAddress: {
        recipientName: to.recipientName,
        street: to.street,
        city: to.city,
        postalCode: to.postalCode,
        country: to.country,
        phoneNumber: to.phoneNumber,
      },
      deliverer: driverId === null ? null : { id: driverId, name: null, phoneNumber: null },
    },
  });
}
