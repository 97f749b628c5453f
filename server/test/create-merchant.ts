import type { Scope } from '@navette/contract';
import type { Database } from '../src/database/database.ts';
import { type AccountInput, createAccount } from '../src/features/accounts/index.ts';
import { createKey } from '../src/features/api-keys/index.ts';
import type { Locator } from '../src/features/geocoding/index.ts';

export interface Merchant {
  id: string;
  clientId: string;
  key: string;
}

/** An account without restrictions, with high limits and a key; `changes` override its settings. */
export async function createMerchant(
  { db, locator }: { db: Database; locator: Locator },
  changes: Partial<AccountInput> = {},
  scopes: Scope[] = ['read', 'write', 'delete'],
): Promise<Merchant> {
  const account = await createAccount(db, { ...MERCHANT_SETTINGS, ...changes }, locator);
  const created = await createKey(db, account.id, { name: 'test', scopes, expiresAt: null });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return { ...account, key: created.key };
}

export const MERCHANT_SETTINGS: AccountInput = {
  name: 'Atelier Zoé',
  email: 'zoe@example.org',
  clientType: 'shop',
  contractVersion: '2026-01',
  contractSigned: true,
  minimumPrice: 8.5,
  pickupAddress: {
    street: '1 rue de Rivoli',
    city: 'Paris',
    postalCode: '75001',
    coordinates: { latitude: 48.8556, longitude: 2.3601 },
  },
  timeSlots: [{ label: 'Matin (9h-12h)' }, { label: '14h-16h' }],
  rateLimits: { minute: 1_000_000, hour: 1_000_000, day: 1_000_000 },
};
