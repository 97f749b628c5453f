import type { ShipmentStatus, WebhookEventName } from './generated/api-types.ts';

/** The body of a webhook request. `data` is a snapshot of the shipment at `timestamp`. */
export interface WebhookEvent<E extends WebhookEventName = WebhookEventName> {
  event: E;
  /** When the change happened, ISO 8601. Events may arrive in any order: sort by this. */
  timestamp: string;
  data: WebhookData;
}

export interface WebhookData {
  id: string;
  professionalId: string;
  referenceNumber: string;
  status: ShipmentStatus;
  price: number;
  externalReference: {
    platform: string | null;
    orderId: string | null;
    shopDomain: string | null;
    [field: string]: unknown;
  };
  createdAt: string;
  updatedAt: string;
  pickupAddress: WebhookPlace;
  deliveryAddress: WebhookPlace & { recipientName: string; phoneNumber: string };
  /** Name and phone number are always null here; `shipments.get()` has them. */
  deliverer: { id: string; name: null; phoneNumber: null } | null;
}

export interface WebhookPlace {
  street: string;
  city: string;
  postalCode: string;
  country: string;
}

const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/** A test request from the dashboard or the operator. Its shipment does not exist. */
export const isTestEvent = ({ data }: WebhookEvent): boolean => data.id === ZERO_ID;

/** Attempts of one event share this key, and no other event has it. */
export const eventKey = ({ event, data }: WebhookEvent): string => `${data.id}:${event}`;
