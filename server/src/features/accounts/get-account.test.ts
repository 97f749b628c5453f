import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createPool } from '../../database/database.ts';
import { createKey } from '../api-keys/index.ts';
import { addCredit } from '../ledger/index.ts';
import { prepareReadAccount } from './account.ts';
import { type AccountInput, createAccount, updateAccount } from './index.ts';

const nowhere = { locate: async () => null };
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function createBare(input: AccountInput): Promise<TestAccount> {
  const account = await createAccount(server.db, input, nowhere);
  const created = await createKey(server.db, account.id, { name: null, scopes: ['read'], expiresAt: null });
  return { ...account, key: created.outcome === 'created' ? created.key : '' };
}

const change = (account: TestAccount, input: AccountInput) => updateAccount(server.db, account.id, input, nowhere);
const read = async (account: TestAccount) => (await server.call(account, 'GET', '/account')).body.account;

describe('GET /account', () => {
  test('200: exactly these fields when the operator has set everything', async () => {
    const account = await server.createAccount({
      isSpecialRequest: true,
      agreedPickupTime: '17:30',
      minimumPrice: 8.5,
      pricePerKg: 6.9,
      paymentMode: 'deferred',
      paymentStatus: 'grace',
      gracePeriodEndsAt: '2030-01-01T00:00:00Z',
      creditLimit: 500,
      amountDue: 120.55,
      rateLimits: { minute: 100, hour: 2_000, day: 20_000 },
    });
    const { status, body } = await server.call(account, 'GET', '/account');
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      account: {
        _id: account.id,
        name: 'Atelier Zoé',
        email: 'zoe@example.org',
        clientId: account.clientId,
        clientType: 'shop',
        contractVersion: '2026-01',
        contractSigned: true,
        isSpecialRequest: true,
        agreedPickupTime: '17:30',
        pickupAddressConfigured: true,
        pickupAddress: {
          location: { type: 'Point', coordinates: [2.3601, 48.8556] },
          street: '1 rue de Rivoli',
          city: 'Paris',
          postalCode: '75001',
          country: 'France',
        },
        timeSlots: [
          { id: UUID, label: 'Matin (9h-12h)' },
          { id: UUID, label: '14h-16h' },
        ],
        minimumPrice: 8.5,
        pricePerKg: 6.9,
        paymentMode: 'deferred',
        paymentStatus: 'grace',
        balance: 0,
        creditLimit: 500,
        amountDue: 120.55,
        rateLimits: { minute: 100, hour: 2_000, day: 20_000 },
      },
    });
  });

  test('200: the same fields, null or at their defaults, when the operator has set nothing', async () => {
    const account = await createBare({ name: 'Nouveau', email: 'nouveau@example.org' });
    expect(await read(account)).toStrictEqual({
      _id: UUID,
      name: 'Nouveau',
      email: 'nouveau@example.org',
      clientId: expect.stringMatching(/^nvc_[2-9a-z]{12}$/),
      clientType: null,
      contractVersion: null,
      contractSigned: false,
      isSpecialRequest: false,
      agreedPickupTime: null,
      pickupAddressConfigured: false,
      pickupAddress: null,
      timeSlots: [],
      minimumPrice: 0,
      pricePerKg: null,
      paymentMode: 'prepaid',
      paymentStatus: 'current',
      balance: 0,
      creditLimit: null,
      amountDue: 0,
      rateLimits: { minute: 60, hour: 1_000, day: 10_000 },
    });
  });

  test('200: the balance is what the ledger sums up to, to the cent', async () => {
    const account = await server.createAccount();
    for (const cents of [5_000, 1, 1_999]) await addCredit(server.db, account.id, cents, null);
    expect(await read(account)).toMatchObject({ balance: 70, amountDue: 0 });
  });

  test('200: a change by the operator shows at once and leaves what it does not name', async () => {
    const account = await server.createAccount({ pricePerKg: 6.9 });
    const before = await read(account);
    await change(account, { name: 'Atelier Léa', pricePerKg: null });
    expect(await read(account)).toStrictEqual({ ...before, name: 'Atelier Léa', pricePerKg: null });
  });

  test('200: slots come in the operator’s order, and one that keeps its label keeps its id', async () => {
    const account = await server.createAccount();
    const [morning, afternoon] = (await read(account)).timeSlots;
    await change(account, { timeSlots: [{ label: 'Soir (18h-20h)' }, { label: '14h-16h' }] });
    expect((await read(account)).timeSlots).toStrictEqual([{ id: UUID, label: 'Soir (18h-20h)' }, afternoon]);
    await change(account, { timeSlots: [{ label: 'Matin (9h-12h)' }] });
    expect((await read(account)).timeSlots[0].id).not.toBe(morning.id);
    await change(account, { timeSlots: [] });
    expect((await read(account)).timeSlots).toStrictEqual([]);
  });

  test('200: an account reads itself and nobody else', async () => {
    const [one, two] = [await server.createAccount({ name: 'Un' }), await server.createAccount({ name: 'Deux' })];
    expect((await read(one))._id).toBe(one.id);
    expect((await read(two))._id).toBe(two.id);
  });
});

test('a process of the release before reads accounts on while a migration adds a column to their table', async () => {
  const account = await server.createAccount();
  const pool = createPool({ databaseUrl: server.config.databaseUrl, size: 1 }); // one connection: it has the statement
  try {
    const readPrepared = prepareReadAccount(server.db, pool);
    const before = await readPrepared(account.id);
    await pool.query('alter table accounts add column of_a_later_release int');
    expect(await readPrepared(account.id)).toStrictEqual(before);
  } finally {
    await pool.end();
  }
});
