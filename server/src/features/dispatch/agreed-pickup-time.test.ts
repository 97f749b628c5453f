import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { type JobClock, takeJobClock } from '../../../test/job-clock.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { createOldSpecialRequest } from '../../../test/old-special-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { type AccountInput, BadAccountInput, createAccount, updateAccount } from '../accounts/index.ts';
import { readLabels } from '../labels/read-labels.ts';
import { listAnyWithoutPickupTime } from './attention.ts';

const WAIT = { timeout: 240_000, interval: 50 };
const DAY_MS = 86_400_000;

let server: TestServer;
let clock: JobClock;
let worker: TestWorker;
beforeAll(async () => {
  server = await startTestServer();
  clock = await takeJobClock(server);
  worker = await startTestWorker(server, () => clock.now());
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const noLocation = { locate: async () => null };
const refused = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BadAccountInput);
  return (error as BadAccountInput).problems;
};
const NEEDS_TIME = [expect.stringContaining('isSpecialRequest: needs agreedPickupTime')];

const createOldAccount = () => createOldSpecialRequest(server);

const waiting = async () => (await listAnyWithoutPickupTime(server.db)).map(({ reference }) => reference);
const update = async (account: TestAccount, settings: AccountInput) => {
  const { code, stderr } = await runNavette(
    ['account', 'update', account.id, '--input', '-'],
    server.environment,
    JSON.stringify(settings),
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stderr;
};

describe('the setting', () => {
  const BASE = { name: 'Atelier Zoé', email: 'zoe@example.org' };

  test('a special request without an agreed pickup time is refused, when created and when changed', async () => {
    expect(await refused(createAccount(server.db, { ...BASE, isSpecialRequest: true }, noLocation))).toEqual(
      NEEDS_TIME,
    );
    const plain = await server.createAccount();
    expect(await refused(updateAccount(server.db, plain.id, { isSpecialRequest: true }, noLocation))).toEqual(
      NEEDS_TIME,
    );
    expect(
      await updateAccount(server.db, plain.id, { isSpecialRequest: true, agreedPickupTime: '17:30' }, noLocation),
    ).toBe(true);
    expect(await refused(updateAccount(server.db, plain.id, { agreedPickupTime: null }, noLocation))).toEqual(
      NEEDS_TIME,
    );
    const without = { isSpecialRequest: false, agreedPickupTime: null };
    expect(await updateAccount(server.db, plain.id, without, noLocation)).toBe(true);
  });

  test('the database refuses it for any writer, and accepts other changes of an old account', async () => {
    const plain = await server.createAccount();
    await expect(
      sql`update accounts set is_special_request = true where id = ${plain.id}`.execute(server.db),
    ).rejects.toMatchObject({ code: '23514' });
    const old = await createOldAccount();
    expect(await updateAccount(server.db, old.id, { name: 'Renommé', paymentStatus: 'suspended' }, noLocation)).toBe(
      true,
    );
    expect(await refused(updateAccount(server.db, old.id, { isSpecialRequest: true }, noLocation))).toEqual(NEEDS_TIME);
  });
});

describe('a shipment whose account had no agreed time', () => {
  test('is on the operator’s list, in the audit and marked on its label, until the time is set', async () => {
    const account = await createOldAccount();
    const { _id, referenceNumber, status } = await ship(server, account);
    expect(status).toBe('programmed');
    await workDone(server);
    await clock.set(new Date(Date.now() + 7 * DAY_MS));
    await workDone(server);
    expect((await factsOf(server, _id)).status).toBe('programmed');

    expect(await waiting()).toEqual([referenceNumber]);
    const listed = await runNavette(['shipment', 'list', '--needs-pickup-time'], server.environment);
    expect(listed.stdout).toContain(referenceNumber);
    expect(listed.stdout).toContain(account.id);
    const findings = await brokenInvariants(server);
    expect(findings).toEqual([
      { invariant: expect.stringContaining('agreedPickupTime'), broken: 1, examples: [referenceNumber] },
    ]);
    const [label] = await readLabels(server.pools.main, account.id, [_id], server.config.timeZone);
    expect(label?.label.service).toEqual({ kind: 'agreed' });

    expect(await update(account, { agreedPickupTime: '17:30' })).toContain('1 shipment');
    expect(await waiting()).toEqual([]);
    expect(await brokenInvariants(server)).toEqual([]);
    const { estimatedDeliveryDate } = (await server.call(account, 'GET', `/shipping/${_id}`)).body.shipping;
    expect(Date.parse(estimatedDeliveryDate)).toBeGreaterThan(Date.now());
    await clock.set(new Date(Date.parse(estimatedDeliveryDate) + 7 * DAY_MS));
    await vi.waitFor(async () => expect((await factsOf(server, _id)).history).toEqual(['programmed', 'created']), WAIT);
  });

  test('starts its search at once when the account is no special request any more', async () => {
    const account = await createOldAccount();
    const slotted = await ship(server, account, { scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    const { _id, referenceNumber } = await ship(server, account);
    await workDone(server);
    expect(await waiting()).toEqual([referenceNumber]);
    expect(await update(account, { isSpecialRequest: false })).toContain('1 shipment');
    await vi.waitFor(async () => expect((await factsOf(server, _id)).history).toEqual(['programmed', 'created']), WAIT);
    expect((await factsOf(server, slotted._id)).status).toBe('programmed');
    const [label] = await readLabels(server.pools.main, account.id, [_id], server.config.timeZone);
    expect(label?.label.service).toEqual({ kind: 'agreed' }); // a printed label does not change
  });
});
