import type { Shipment, ShipmentStatus, WebhookEvent } from '@navette/contract';
import type { FreeContent } from '../../database/json-columns.ts';
import { toEuros } from '../ledger/index.ts';
import type { PreparedShipment } from './prepare-shipment.ts';

/** Identifiers and time that a prepared shipment receives when it is created. */
export interface CreatedIds {
  id: string;
  referenceNumber: string;
  labelSuffix: string;
  createdAt: Date;
}

const pdfUrlOf = (referenceNumber: string, labelSuffix: string) =>
  `/pdfs/bordereau_${referenceNumber}_${labelSuffix}.pdf`;

/** The response to a creation, built from the inserted values. Reads build the same fields in SQL (document-json.ts). */
export function presentNewShipment(shipment: PreparedShipment, created: CreatedIds): Shipment {
  const { schedule, estimatedDelivery } = shipment;
  const createdAt = created.createdAt.toISOString();
  return {
    _id: created.id,
    referenceNumber: created.referenceNumber,
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
    estimatedDeliveryDate: (estimatedDelivery ?? created.createdAt).toISOString(),
    pdfUrl: pdfUrlOf(created.referenceNumber, created.labelSuffix),
    createdAt,
    updatedAt: createdAt,
  };
}

/** The body of a new shipment's event. */
export function createdEventBody(shipment: PreparedShipment, { id, referenceNumber, createdAt }: CreatedIds): string {
  return eventBody('shipping.created', createdAt, {
    id,
    accountId: shipment.accountId,
    referenceNumber,
    status: shipment.status,
    priceCents: shipment.priceCents,
    externalReference: shipment.externalReference,
    externalReferenceExtra: shipment.externalReferenceExtra,
    createdAt,
    updatedAt: createdAt,
    pickupAddress: shipment.pickupAddress,
    deliveryAddress: shipment.deliveryAddress,
    driverId: null,
  });
}

export interface EventSubject {
  id: string;
  accountId: string;
  referenceNumber: string;
  status: ShipmentStatus;
  priceCents: number;
  externalReference: Shipment['externalReference'];
  externalReferenceExtra: FreeContent | null;
  createdAt: Date;
  updatedAt: Date;
  pickupAddress: Shipment['pickupAddress'];
  deliveryAddress: Shipment['deliveryAddress'];
  driverId: string | null;
}

/** The exact bytes that webhooks send. A whitelist: merchants receive only the fields named here. */
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
      externalReference: { ...subject.externalReference, ...subject.externalReferenceExtra },
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
