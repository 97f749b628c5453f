/** Messages to recipients and collection contacts. Each is sent at most once for a shipment. */
export const MESSAGE_KINDS = [
  'booked-email',
  'recipient-sms',
  'recipient-email',
  'collection-sms',
  'collection-email',
  'zone-email',
  'next-email',
  'soon-sms',
  'delivered-email',
  'cancelled-email',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Messages that a merchant can switch off. The others are promised by the contract, or sent by the operator. */
export const OPTIONAL_MESSAGES = [
  'booked-email',
  'next-email',
  'soon-sms',
  'delivered-email',
  'cancelled-email',
] as const satisfies MessageKind[];
export type OptionalMessage = (typeof OPTIONAL_MESSAGES)[number];
