import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deliveryQrPublicKeys, judgeDeliveryQr, signDeliveryQr } from './delivery-qr.ts';

const SECRETS = ['a-first-secret-of-32-characters!', 'an-older-secret-of-32-characters'];
const NOW = new Date('2026-11-16T10:00:00Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

describe('the QR code of the recipient’s page', () => {
  const token = signDeliveryQr(SECRETS, 'K7M2P9XW4B', NOW);

  test('is valid for its parcel, for at least 24 and at most 36 hours, also after the secret was replaced', () => {
    expect(judgeDeliveryQr(SECRETS, token, 'K7M2P9XW4B', hoursLater(24))).toBe('valid');
    expect(judgeDeliveryQr(SECRETS, token, 'K7M2P9XW4B', hoursLater(36.1))).toBe('expired');
    expect(judgeDeliveryQr(['new-secret', ...SECRETS], token, 'K7M2P9XW4B', NOW)).toBe('valid');
    expect(judgeDeliveryQr(SECRETS, token, 'K7M2P9XW4C', NOW)).toBe('other_parcel');
  });

  test('cannot be changed in any character', () => {
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      if (
        Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
          Buffer.from(token.split('.')[3] ?? '', 'base64url'),
        )
      )
        if (changed.split('.').slice(0, 3).join() === token.split('.').slice(0, 3).join()) continue; // padding bits of base64
      expect(judgeDeliveryQr(SECRETS, changed, 'K7M2P9XW4B', NOW), changed).toBe('forged');
    }
    expect(judgeDeliveryQr(SECRETS, 'NV1.K7M2P9XW4B', 'K7M2P9XW4B', NOW)).toBe('forged');
    expect(judgeDeliveryQr(['another'], token, 'K7M2P9XW4B', NOW)).toBe('forged');
  });

  test('stays the same for hours, and fits a small QR code', () => {
    expect(signDeliveryQr(SECRETS, 'K7M2P9XW4B', new Date('2026-11-16T11:59:00Z'))).toBe(token);
    expect(token.length).toBeLessThan(120);
  });

  test('is verified by a phone with the public key alone', () => {
    const [newest] = deliveryQrPublicKeys(SECRETS);
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: newest as string }, format: 'jwk' });
    const [content, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
    expect(verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});
