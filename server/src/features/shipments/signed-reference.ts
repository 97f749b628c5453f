import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What the bearer may do: see the recipient's page with its code, see the page of whoever hands a collected parcel over,
 * or prove the hand-over.
 */
export type Purpose = 'track' | 'collect' | 'pick-up';

const SIGNATURE_CHARACTERS = 16; // of 6 bits each: 96 bits, beyond any guessing

/**
 * A token for one purpose and one shipment, short enough for an SMS: the reference, then a signature of it. Nothing is
 * stored, and a wrong token is refused without asking the database.
 */
export function signReference([secret]: string[], purpose: Purpose, referenceNumber: string): string {
  return `${referenceNumber}${signature(secret as string, purpose, referenceNumber)}`;
}

/** The reference that somebody with one of the secrets signed for this purpose, or null. */
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
