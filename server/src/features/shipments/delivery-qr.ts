import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';

/**
 * The QR code of the recipient's page. A driver's phone verifies it without network, with the public key that it got when
 * the driver signed in; so it is signed with Ed25519, and a phone cannot make one. The keys are derived from LINK_SECRET:
 * one secret to keep, one rotation.
 *
 * `NV1.<reference>.<expiry in unix seconds, base 36>.<signature, base64url>`
 */
const VERSION = 'NV1';
const VALID_MS = 24 * 3_600_000;
const EXPIRY_STEP_MS = 12 * 3_600_000; // the page shows the same code for hours, so that it need not be sent again
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex'); // an Ed25519 private key in DER, before its seed
const RAW_PUBLIC_KEY_BYTES = 32;

export type DeliveryQrVerdict = 'valid' | 'forged' | 'expired' | 'other_parcel';

/** Valid for 24 to 36 hours. */
export function signDeliveryQr([secret]: string[], referenceNumber: string, now: Date): string {
  const expiresAt = Math.ceil((now.getTime() + VALID_MS) / EXPIRY_STEP_MS) * EXPIRY_STEP_MS;
  const content = `${VERSION}.${referenceNumber}.${(expiresAt / 1_000).toString(36)}`;
  return `${content}.${sign(null, Buffer.from(content), keyOf(secret as string)).toString('base64url')}`;
}

/** `at` is when the driver scanned it, which may be hours before it arrives here. */
export function judgeDeliveryQr(
  secrets: string[],
  token: string,
  referenceNumber: string,
  at: Date,
): DeliveryQrVerdict {
  const [version, reference, expiry, signature, ...rest] = token.trim().split('.');
  if (version !== VERSION || !reference || !expiry || !signature || rest.length > 0) return 'forged';
  const content = Buffer.from(`${version}.${reference}.${expiry}`);
  const given = Buffer.from(signature, 'base64url');
  if (!secrets.some((secret) => verify(null, content, createPublicKey(keyOf(secret)), given))) return 'forged';
  if (reference !== referenceNumber) return 'other_parcel';
  return Number.parseInt(expiry, 36) * 1_000 < at.getTime() ? 'expired' : 'valid';
}

/** For the phones: raw keys in base64url, newest first. */
export const deliveryQrPublicKeys = (secrets: string[]): string[] =>
  secrets.map((secret) =>
    createPublicKey(keyOf(secret))
      .export({ type: 'spki', format: 'der' })
      .subarray(-RAW_PUBLIC_KEY_BYTES)
      .toString('base64url'),
  );

const keys = new Map<string, KeyObject>(); // as many as there are secrets

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'delivery-qr', 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  keys.set(secret, key);
  return key;
}
