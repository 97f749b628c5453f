import { createECDH, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decrypt } from '../../../test/fake-push-service.ts';
import { areBrowserKeys, encryptPayload, MAX_TEXT_BYTES } from './encrypt-payload.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** RFC 8291, section 5 and appendix A. */
const RFC = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  browserPrivateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

function newBrowser() {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return { keys, auth: randomBytes(16) };
}

describe('a push message', () => {
  test('is byte for byte the example of RFC 8291', () => {
    const { privateKey, salt } = RFC;
    expect(encryptPayload(RFC.text, RFC, { privateKey, salt }).toString('base64url')).toBe(RFC.message);
  });

  test('of the RFC is decrypted by the push service of our tests', () => {
    const keys = createECDH('prime256v1');
    keys.setPrivateKey(RFC.browserPrivateKey);
    expect(decrypt({ keys, auth: RFC.auth }, bytes(RFC.message))).toBe(RFC.text);
  });

  test('of any text is read by its browser and by no other, and no two are equal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const [browser, other] = [newBrowser(), newBrowser()];
        const keys = { p256dh: browser.keys.getPublicKey(), auth: browser.auth };
        const [one, two] = [encryptPayload(text, keys), encryptPayload(text, keys)];
        expect(decrypt(browser, one)).toBe(text);
        expect(one.equals(two)).toBe(false);
        expect(() => decrypt(other, one)).toThrow('unable to authenticate');
      }),
      { numRuns: 40 },
    );
  });

  test('fits into the 4,096 bytes that push services accept, or is refused', () => {
    const browser = newBrowser();
    const keys = { p256dh: browser.keys.getPublicKey(), auth: browser.auth };
    expect(encryptPayload('x'.repeat(MAX_TEXT_BYTES), keys)).toHaveLength(4_096);
    expect(() => encryptPayload('x'.repeat(MAX_TEXT_BYTES + 1), keys)).toThrow(RangeError);
  });

  test('cannot be sent to keys that are no point of the curve', () => {
    expect(areBrowserKeys(RFC)).toBe(true);
    const { auth, p256dh } = RFC;
    const bent = Buffer.from(p256dh);
    bent[64] = (bent[64] ?? 0) ^ 1;
    for (const bad of [bent, p256dh.subarray(1), Buffer.alloc(65), Buffer.alloc(0)]) {
      expect(areBrowserKeys({ p256dh: bad, auth })).toBe(false);
    }
    expect(areBrowserKeys({ p256dh, auth: auth.subarray(1) })).toBe(false);
  });
});
