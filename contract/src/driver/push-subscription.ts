import Type, { type Static } from 'typebox';

const base64url = (length: number, description: string) =>
  Type.String({ maxLength: length + 2, pattern: `^[A-Za-z0-9_-]{${length}}={0,2}$`, description });

/** As `PushSubscription.toJSON()` of a browser returns it; other fields are ignored. */
export const PushSubscriptionRequest = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: 1_000, description: 'The URL at the browser’s push service.' }),
  keys: Type.Object({
    p256dh: base64url(87, 'The browser’s public key, in base64url.'),
    auth: base64url(22, 'The shared secret, in base64url.'),
  }),
});
export type PushSubscriptionRequest = Static<typeof PushSubscriptionRequest>;

/** The content of a push message, after decryption by the browser. */
export const PUSH_TYPES = ['offer', 'changed', 'withdrawn'] as const;
export interface DriverPushMessage {
  type: (typeof PUSH_TYPES)[number];
  shippingId: string;
  referenceNumber: string;
  /** French texts of the notification. */
  title: string;
  body: string;
}
