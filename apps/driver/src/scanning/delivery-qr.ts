/**
 * The QR code of the recipient's page: `NV1.<reference>.<expiry>.<signature>`. The expiry is in Unix seconds in base 36,
 * the Ed25519 signature (base64url) covers the text before its dot. The app verifies it without network; the server
 * verifies it again.
 */
export type QrVerdict = 'valid' | 'forged' | 'expired' | 'other_parcel' | 'unsupported';

export interface QrContext {
  referenceNumber: string;
  /** Raw Ed25519 public keys in base64url: the current one, and the previous one during a change. */
  keys: readonly string[];
  /** The server's time. */
  now: Date;
}

const FORMAT = /^(NV1\.([A-Za-z0-9-]+)\.([0-9a-z]{1,11}))\.([A-Za-z0-9_-]{86})$/;

/** True for a text that is meant to be such a code, valid or not. */
export const looksLikeDeliveryQr = (text: string): boolean => text.startsWith('NV1.');

export async function verifyDeliveryQr(text: string, { referenceNumber, keys, now }: QrContext): Promise<QrVerdict> {
  const [, signed, reference, expiry = '', signature = ''] = FORMAT.exec(text.trim()) ?? [];
  if (signed === undefined) return 'forged';
  const isSigned = await isSignedByAny(signed, signature, keys);
  if (isSigned === null) return 'unsupported';
  if (!isSigned) return 'forged';
  if (reference !== referenceNumber) return 'other_parcel';
  return Number.parseInt(expiry, 36) * 1_000 < now.getTime() ? 'expired' : 'valid';
}

/** Null when this browser cannot verify Ed25519, or has no key: the server decides. */
async function isSignedByAny(text: string, signature: string, keys: readonly string[]): Promise<boolean | null> {
  const bytes = new TextEncoder().encode(text);
  let isSupported = false;
  for (const key of keys) {
    try {
      const imported = await crypto.subtle.importKey('raw', fromBase64Url(key), 'Ed25519', false, ['verify']);
      isSupported = true;
      if (await crypto.subtle.verify('Ed25519', imported, fromBase64Url(signature), bytes)) return true;
    } catch {
      // NotSupportedError, or a malformed key: another key may work
    }
  }
  return isSupported ? false : null;
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
