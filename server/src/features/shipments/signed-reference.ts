import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A token permits one of these: to see the recipient's page with its delivery code, to see the collection contact's page, to
 * see the shared page without code and street, or to prove that the contact handed the parcel over.
 */
export type Purpose = 'track' | 'collect' | 'share' | 'pick-up';

const SIGNATURE_CHARACTERS = 16; // of 6 bits each: 96 bits cannot be guessed

/**
 * A token for one purpose and one shipment, short enough for an SMS: the reference, then its signature. Nothing is
 * stored, and an invalid token is rejected without a query.
 */
export function signReference([secret]: string[], purpose: Purpose, referenceNumber: string): string {
  return `${referenceNumber}${signature(secret as string, purpose, referenceNumber)}`;
}

/** The reference, if one of the secrets signed it for this purpose; else null. */
export function readSignedReference(secrets: string[], purpose: Purpose, token: string): string | null {
  const referenceNumber = token.slice(0, -SIGNATURE_CHARACTERS);
  const given = Buffer.from(token.slice(-SIGNATURE_CHARACTERS));
  const signed = secrets.some((secret) => {
    const expected = Buffer.from(signature(secret, purpose, referenceNumber));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return signed ? referenceNumber : null;
}

const signature = (secret: string, purpose: Purpose, referenceNumber: string) =>
  createHmac('sha256', secret)
    .update(`${purpose}:${referenceNumber}`)
    .digest('base64url')
    .slice(0, SIGNATURE_CHARACTERS);
