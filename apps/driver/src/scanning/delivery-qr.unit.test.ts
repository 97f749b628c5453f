import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { looksLikeDeliveryQr, verifyDeliveryQr } from './delivery-qr.ts';

const NOW = new Date('2026-11-16T10:00:00Z');
const service = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const rawKey = (key: KeyObject) => String(key.export({ format: 'jwk' }).x);
const keys = [rawKey(stranger.publicKey), rawKey(service.publicKey)];

function codeFor(reference: string, { hours = 1, key = service.privateKey } = {}): string {
  const expiry = Math.floor(NOW.getTime() / 1_000 + hours * 3_600).toString(36);
  const text = `NV1.${reference}.${expiry}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}
const verify = (text: string, given: string[] = [rawKey(service.publicKey)]) =>
  verifyDeliveryQr(text, { referenceNumber: '5N4MPK3S3M', keys: given, now: NOW });

describe('the QR code of the recipient’s page, without network', () => {
  test('is valid with a signature by any current key', async () => {
    expect(await verify(codeFor('5N4MPK3S3M'))).toBe('valid');
    expect(await verify(codeFor('5N4MPK3S3M'), keys)).toBe('valid');
  });

  test('is refused when it has expired, belongs to another parcel or is signed by somebody else', async () => {
    expect(await verify(codeFor('5N4MPK3S3M', { hours: -1 }))).toBe('expired');
    expect(await verify(codeFor('AAAAAAAAAA'))).toBe('other_parcel');
    expect(await verify(codeFor('5N4MPK3S3M', { key: stranger.privateKey }))).toBe('forged');
  });

  test.each([
    ['another expiry', (code: string) => code.replace(/\.(\w+)\.(?=[^.]+$)/, '.zzzzzz.')],
    ['another reference', (code: string) => code.replace('5N4MPK3S3M', '5N4MPK3S3N')],
    ['a cut signature', (code: string) => code.slice(0, -4)],
    ['no signature', () => 'NV1.5N4MPK3S3M.abc'],
    ['other text', () => 'https://example.org'],
  ])('with %s is forged', async (_change, change) => {
    expect(await verify(change(codeFor('5N4MPK3S3M')))).toBe('forged');
  });

  test('is left to the server when there is no usable key', async () => {
    expect(await verify(codeFor('5N4MPK3S3M'), [])).toBe('unsupported');
    expect(await verify(codeFor('5N4MPK3S3M'), ['not a key'])).toBe('unsupported');
  });

  test('differs from other codes by its prefix', () => {
    expect(looksLikeDeliveryQr('NV1.x')).toBe(true);
    expect(looksLikeDeliveryQr('5N4MPK3S3M')).toBe(false);
  });
});
