import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const TOKEN_SECONDS = 12 * 3_600; // RFC 8292 allows 24 hours

/** Identifies this service to push services. Subscriptions are bound to its public key. */
export interface VapidKey {
  /** Uncompressed point of P-256 in base64url, as browsers take it. */
  publicKey: string;
  signingKey: KeyObject;
}

/** `privateKey`: 32 bytes in base64url. */
export function readVapidKey(privateKey: string): VapidKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const jwk = { kty: 'EC', crv: 'P-256', d: privateKey, x, y };
  return { publicKey: point.toString('base64url'), signingKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

export function newVapidPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' }).d as string;
}

/** The Authorization header of RFC 8292: a token for the push service's origin only, signed with ES256. */
export function vapidAuthorization(
  { publicKey, signingKey }: VapidKey,
  subject: string,
  endpoint: string,
  now: Date,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expiry = Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS;
  const claims = { aud: new URL(endpoint).origin, exp: expiry, sub: subject };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
