import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretKeeper } from './webhook-secret.ts';

const OLD = 'the-key-of-last-year-0123456789-abcdef';
const NEW = 'the-key-of-this-year-0123456789-abcdef';
const WEBHOOK = {
  accountId: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
  webhookId: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f61',
};

describe('a sealed secret', () => {
  test('decrypts to the original, and its ciphertext differs each time', () => {
    const keeper = createSecretKeeper([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (secret) => {
        const sealed = keeper.seal(WEBHOOK, secret);
        expect(keeper.open(WEBHOOK, sealed)).toBe(secret);
        expect(keeper.seal(WEBHOOK, secret).sealed.equals(sealed.sealed)).toBe(false);
      }),
    );
  });

  test('decrypts for its own webhook only', () => {
    const keeper = createSecretKeeper([NEW]);
    const sealed = keeper.seal(WEBHOOK, 'secret');
    expect(() => keeper.open({ ...WEBHOOK, webhookId: WEBHOOK.accountId }, sealed)).toThrow(/unable to authenticate/);
    expect(() => keeper.open({ ...WEBHOOK, accountId: WEBHOOK.webhookId }, sealed)).toThrow(/unable to authenticate/);
  });

  test('does not decrypt when any bit of it was changed', () => {
    const keeper = createSecretKeeper([NEW]);
    const { key, sealed } = keeper.seal(WEBHOOK, 'a secret');
    for (let i = 0; i < sealed.length * 8; i++) {
      const changed = Buffer.from(sealed);
      changed[i >> 3] = (changed[i >> 3] ?? 0) ^ (1 << (i & 7));
      expect(() => keeper.open(WEBHOOK, { key, sealed: changed })).toThrow(/unable to authenticate/);
    }
  });

  test('survives the addition of a new key, and not the removal of its own', () => {
    const sealed = createSecretKeeper([OLD]).seal(WEBHOOK, 'secret');
    const both = createSecretKeeper([NEW, OLD]);
    expect(both.open(WEBHOOK, sealed)).toBe('secret');
    expect(both.seal(WEBHOOK, 'secret').key).toBe(both.newestKey);
    expect(both.newestKey).not.toBe(sealed.key);
    expect(() => createSecretKeeper([NEW]).open(WEBHOOK, sealed)).toThrow(/missing in WEBHOOK_SECRET_KEYS/);
  });

  test('names its key without revealing it', () => {
    expect(createSecretKeeper([NEW]).newestKey).toMatch(/^[0-9a-f]{12}$/);
    expect(createSecretKeeper([NEW]).newestKey).not.toBe(createSecretKeeper([OLD]).newestKey);
  });
});
