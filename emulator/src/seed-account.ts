import { sql } from 'kysely';
import { openEngines } from '../../server/src/cli/engines.ts';
import type { Config } from '../../server/src/config.ts';
import { createAccount, findOrCreateTwin } from '../../server/src/features/accounts/index.ts';
import { createKey } from '../../server/src/features/api-keys/index.ts';
import { hashSecretToken } from '../../server/src/secrets/secret-token.ts';
import { API_KEY, CLIENT_ID } from './fixed-values.ts';

const MANY = 1_000_000; // requests: a test suite is no reason for a 429, and `PUT /test/account` can set a limit

/** A merchant, and its test twin with the fixed key and client id. */
export async function seedAccount(config: Config): Promise<void> {
  const engines = openEngines(config);
  const { db, locator } = engines;
  const live = await createAccount(
    db,
    {
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
      rateLimits: { minute: MANY, hour: MANY, day: MANY },
    },
    locator,
  );
  const twin = await db.transaction().execute((tx) => findOrCreateTwin(tx, live.id));
  if (!twin) throw new Error('the test account was not created');
  const key = await createKey(db, twin.id, { name: 'emulator', scopes: ['read', 'write', 'delete'], expiresAt: null });
  if (key.outcome !== 'created') throw new Error(key.outcome);
  await sql`update accounts set client_id = ${CLIENT_ID} where id = ${twin.id}`.execute(db);
  const hash = Buffer.from(hashSecretToken(API_KEY), 'hex');
  await sql`update api_keys set key_hash = ${hash}, hint = ${API_KEY.slice(-4)} where id = ${key.id}`.execute(db);
  await engines.close();
}
