import { AsyncLocalStorage } from 'node:async_hooks';
import { BASE_PATH, DRIVER_BASE_PATH, WEBHOOK_EVENTS } from '@navette/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildApp, type Services } from '../app.ts';
import { createAccount, listAccounts } from '../features/accounts/index.ts';
import { createKey, listKeys, revokeAnyKey } from '../features/api-keys/index.ts';
import { assignAnyShipment } from '../features/dispatch/index.ts';
import { createDrivers, issueToken, listDrivers } from '../features/drivers/index.ts';
import { addCredit } from '../features/ledger/index.ts';
import { createMember } from '../features/members/index.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import { DEMO_ACCOUNTS, DEMO_DRIVERS, DEMO_PASSWORD, type DemoAccount } from './demo-accounts.ts';
import { type PlannedShipment, planMonth } from './plan-month.ts';

export interface DemoWorld {
  /** False when the database already held it. */
  isNew: boolean;
  shipments: number;
  password: string;
  accounts: { id: string; name: string; clientId: string; key: string; members: string[] }[];
  drivers: { id: string; name: string; email: string | null; token: string }[];
}

export class DemoRefused extends Error {}

const KEY_NAME = 'demo';
const AT_ONCE = 6;
const MINUTE_MS = 60_000;
const DRIVER_STEPS = ['assigned', 'picked_up', 'in_transit', 'delivered'];

type Options = Omit<Services, 'now'> & {
  /** Base of the webhook targets `/ok` and `/failing`; without it there are no webhooks. */
  webhooksTo?: string;
};

/**
 * Fills an empty database with two merchants, drivers and a month of shipments. Accounts, members, drivers and
 * assignments use the operator's functions, everything else the public APIs, with the clock set to the past.
 * Only new keys and tokens are created when the database holds the demo already.
 */
export async function seedDemo(options: Options): Promise<DemoWorld> {
  const { config, db } = options;
  if (new URL(config.publicUrl).protocol === 'https:') {
    throw new DemoRefused('PUBLIC_URL is https: the demo’s password is public, so it runs on http only');
  }
  const found = await listAccounts(db);
  const isOwn = ({ email }: { email: string }) => DEMO_ACCOUNTS.some(({ settings }) => settings.email === email);
  if (!found.every(isOwn))
    throw new DemoRefused('the database holds accounts that are not the demo’s: use an empty one');
  const isNew = found.length === 0;
  if (isNew) await fill(options);

  const accounts = await listAccounts(db);
  const drivers = (await listDrivers(db)).filter(({ email }) => DEMO_DRIVERS.some((demo) => demo.email === email));
  const { shipments } = await db
    .selectFrom('shipments')
    .select((eb) => eb.fn.countAll<number>().as('shipments'))
    .executeTakeFirstOrThrow();
  return {
    isNew,
    shipments: Number(shipments),
    password: DEMO_PASSWORD,
    accounts: await Promise.all(
      accounts.map(async ({ id, name, clientId, email }) => {
        const members = DEMO_ACCOUNTS.find(({ settings }) => settings.email === email)?.members ?? [];
        return { id, name, clientId, key: await freshKey(options, id), members: members.map((member) => member.email) };
      }),
    ),
    drivers: await Promise.all(
      drivers.map(async ({ id, firstName, lastName, email }) => {
        return { id, name: `${firstName} ${lastName}`, email, token: (await issueToken(db, id)) ?? '' };
      }),
    ),
  };
}

async function fill(options: Options): Promise<void> {
  const { db } = options;
  const now = new Date();
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const accounts: Awaited<ReturnType<typeof openAccount>>[] = [];
  for (const demo of DEMO_ACCOUNTS) accounts.push(await openAccount(options, demo, passwordHash, now));
  const drivers = await createDrivers(db, DEMO_DRIVERS);

  const clock = new AsyncLocalStorage<Date>();
  const config = { ...options.config, driverRequestsPerMinute: 1_000_000 };
  const app = await buildApp({ ...options, config, now: () => clock.getStore() ?? new Date() });
  const at = <T>(time: Date, work: () => Promise<T>) => clock.run(time, work);
  try {
    const [first] = accounts;
    if (first && options.webhooksTo) await subscribe(app, first, options.webhooksTo);
    for (const day of planMonth(now, accounts.length, drivers.length)) {
      await inParallel(day, async (planned) => {
        const [account, driver] = [accounts[planned.account], drivers[planned.driver]];
        if (account && driver) await shipOne({ ...options, app, at }, planned, account, driver);
      });
    }
  } finally {
    await app.close();
  }
}

interface Sender {
  app: FastifyInstance;
  at: <T>(time: Date, work: () => Promise<T>) => Promise<T>;
}

async function shipOne(
  { app, at, db, jobs, config }: Options & Sender,
  { request, createdAt, fate, stepMinutes }: PlannedShipment,
  account: { clientId: string; key: string },
  driver: { id: string; token: string },
): Promise<void> {
  const time = (step: number) => new Date(createdAt.getTime() + step * stepMinutes * MINUTE_MS);
  const { shipping } = await at(createdAt, () => call(app, account, 'POST', '/shipping', request));
  const { _id: id, referenceNumber } = shipping as { _id: string; referenceNumber: string };
  if (fate === 'cancelled') {
    const body = { reason: 'Commande annulée' };
    await at(time(1), () => call(app, account, 'PUT', `/shipping/${id}/cancel`, body));
  }
  const steps = DRIVER_STEPS.indexOf(fate) + 1;
  if (steps >= 1) {
    const { outcome } = await assignAnyShipment({ db, jobs, config, now: time(1) }, referenceNumber, driver.id);
    if (outcome !== 'done') throw new Error(`${referenceNumber} was not assigned: ${outcome}`);
  }
  const run = (action: string, body: object = {}) =>
    send(app, { method: 'POST', url: `${DRIVER_BASE_PATH}/shippings/${id}/${action}`, payload: body }, driver.token);
  if (steps >= 2) await at(time(2), () => run('pickup'));
  if (steps >= 3) await at(time(3), () => run('depart'));
  if (steps >= 4) {
    const { delivery_code: deliveryCode } = await db
      .selectFrom('shipments')
      .select('delivery_code')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await at(time(4), () => run('deliver', { deliveryCode }));
  }
}

async function openAccount(
  options: Options,
  { settings, creditCents, members }: DemoAccount,
  passwordHash: string,
  now: Date,
): Promise<{ id: string; clientId: string; key: string }> {
  const { db, locator } = options;
  const account = await createAccount(db, settings, locator);
  if (creditCents > 0) await addCredit(db, account.id, creditCents, 'Virement initial');
  for (const member of members) await createMember(db, account.id, { ...member, passwordHash }, now);
  return { ...account, key: await freshKey(options, account.id) };
}

/** Keys are stored hashed, so each run revokes the demo's previous key and creates a new one. */
async function freshKey({ db }: Pick<Options, 'db'>, accountId: string): Promise<string> {
  for (const { id, name, revokedAt } of await listKeys(db, accountId)) {
    if (name === KEY_NAME && !revokedAt) await revokeAnyKey(db, id);
  }
  const created = await createKey(db, accountId, {
    name: KEY_NAME,
    scopes: ['read', 'write', 'delete'],
    expiresAt: null,
  });
  if (created.outcome !== 'created') throw new Error(`no key for ${accountId}: ${created.outcome}`);
  return created.key;
}

async function subscribe(app: FastifyInstance, account: { clientId: string; key: string }, to: string): Promise<void> {
  await call(app, account, 'POST', '/webhooks', { url: `${to}/ok`, events: [...WEBHOOK_EVENTS] });
  const events = ['shipping.delivered', 'shipping.cancelled'];
  await call(app, account, 'POST', '/webhooks', { url: `${to}/failing`, events });
}

function call(
  app: FastifyInstance,
  { clientId, key }: { clientId: string; key: string },
  method: 'POST' | 'PUT',
  path: string,
  payload: object,
): Promise<Record<string, unknown>> {
  const headers = { 'x-client-id': clientId };
  return send(app, { method, url: `${BASE_PATH}${path}`, payload, headers }, key);
}

async function send(
  app: FastifyInstance,
  request: InjectOptions & { url: string },
  token: string,
): Promise<Record<string, unknown>> {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const response = await app.inject({ ...request, headers });
  if (response.statusCode >= 300) {
    throw new Error(`${request.method} ${request.url}: ${response.statusCode} ${response.body}`);
  }
  return response.json();
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
