import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, callApi } from '../../test/call-api.ts';
import { consoleCaller, createTestStaff } from '../../test/console.ts';
import type { Merchant } from '../../test/create-merchant.ts';
import { cookieOf, createTestMember, dashboardCaller, signInAs, TEST_PASSWORD } from '../../test/dashboard.ts';
import { factsOf, standAt } from '../../test/dispatched.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../../test/driver-app.ts';
import { eventually } from '../../test/eventually.ts';
import { keepShipping } from '../../test/keep-shipping.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { startTwoCells, type TestCell, type TwoCells } from '../../test/two-cells.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { readConfig } from '../config.ts';
import { inviteAsOperator } from '../features/members/index.ts';
import { signReference } from '../features/shipments/index.ts';
import { openDirectory } from './directory.ts';
import { publishSignInChanges } from './publish-sign-in-changes.handler.ts';

let cells: TwoCells;
let receiver: WebhookReceiver;
const shops = new Map<TestCell, Merchant>();
const both = () => [cells.first, cells.second];

beforeAll(async () => {
  [cells, receiver] = [await startTwoCells(), await startWebhookReceiver()];
  for (const cell of both()) shops.set(cell, await cell.createMerchant());
});
afterAll(async () => {
  await receiver.stop();
  await cells.stop();
});

const shopOf = (cell: TestCell) => shops.get(cell) as Merchant;
const call = (cell: TestCell, method: string, path: string, body?: unknown): Promise<Answer> =>
  callApi(`${cells.url}${BASE_PATH}${path}`, shopOf(cell), method, body === undefined ? {} : { body });
const create = async (cell: TestCell) => (await call(cell, 'POST', '/shipping', shipmentRequest())).body.shipping;
const onlyTag = (cell: TestCell) => expect.stringMatching(new RegExp(`^${cell.tag}[2-9A-Z]{9}$`));
const health = async (url: string) => (await fetch(`${url}/healthz`)).status;

describe('the router sends each request to its cell', () => {
  test('by the key of a merchant', async () => {
    for (const cell of both()) {
      expect(shopOf(cell).key).toMatch(new RegExp(`^navette_key_${cell.tag}_[0-9A-Za-z]{43}$`));
      const created = await create(cell);
      expect(created.referenceNumber).toEqual(onlyTag(cell));
      const read = await call(cell, 'GET', `/shipping/${created._id}`);
      expect([read.status, read.body.shipping.referenceNumber]).toEqual([200, created.referenceNumber]);
      const stored = await cell.db.selectFrom('shipments').select('id').where('id', '=', created._id).execute();
      expect(stored).toHaveLength(1);
    }
  });

  test('by the reference in the address of a label and of a tracking page', async () => {
    for (const cell of both()) {
      const { _id, pdfUrl, referenceNumber } = (await call(cell, 'GET', `/shipping/${(await create(cell))._id}`)).body
        .shipping;
      expect(_id).toBeTruthy();
      const label = await fetch(`${cells.url}${pdfUrl}`);
      expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      const token = signReference(readConfig({}).linkSecrets, 'track', referenceNumber);
      const page = await fetch(`${cells.url}/t/${token}`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(referenceNumber)]);
    }
  });

  test('by the token of a driver, who delivers over both channels; webhooks tell the merchant', async () => {
    for (const cell of both()) {
      const path = `/${cell.tag}`;
      const webhook = { url: `${receiver.url}${path}`, events: ['shipping.created', 'shipping.delivered'] };
      const subscribed = await call(cell, 'POST', '/webhooks', webhook);
      receiver.expectSecret(path, subscribed.body.webhook.secret);
      const driver = await cell.issue(() => createTestDriver(cell.db, { password: TEST_PASSWORD }));
      const phone = await connectApp(cells.url, driver);
      const { _id } = await create(cell);
      await deliver(cell, driver, _id);
      await eventually(() => expect(phone.received.map(({ push }) => push)).toContain('offer'));
      phone.close();
      await eventually(() => {
        const events = receiver.to(path).map(({ headers }) => headers['x-service-event']);
        expect(events.filter((event) => event === 'shipping.delivered')).toHaveLength(1);
      });
      expect(receiver.to(path).flatMap(({ faults }) => faults)).toEqual([]);
    }
  });
});

async function deliver(cell: TestCell, driver: TestDriver, id: string): Promise<void> {
  const send = overHttp(cells.url, driver);
  await eventually(async () => {
    await standAt(cells, driver, 0.5);
    const { offers } = (await send('listOffers')).body as { offers: { shipping: { id: string } }[] };
    expect(offers.map(({ shipping }) => shipping.id)).toContain(id);
  });
  for (const command of ['acceptOffer', 'pickUp', 'depart'] as const) {
    expect([command, (await send(command, { id })).status]).toEqual([command, 200]);
  }
  const { code: deliveryCode } = await factsOf(cell, id);
  expect((await send('deliver', { id, deliveryCode })).status).toBe(200);
}

describe('people sign in wherever their request arrives', () => {
  test('members, who stay in their cell', async () => {
    for (const cell of both()) {
      const { email } = await createTestMember(cell, shopOf(cell).id);
      await published(cell);
      const signedIn = await dashboardCaller(cells.url)('signIn', { body: { email, password: TEST_PASSWORD } });
      expect(signedIn.status).toBe(201);
      expect(cookieOf(signedIn.headers)).toMatch(new RegExp(`^__Host-navette-session=navette_session_${cell.tag}_`));
      expect(signedIn.headers.getSetCookie()[1]).toMatch(new RegExp(`^__Host-navette-cell=${cell.tag};`));
      const member = await signInAs(cells.url, email, TEST_PASSWORD);
      expect((await member.call('readSession')).body.member.email).toBe(email);
      const page = await member.call('listTeam');
      expect(page.status).toBe(200);
    }
  });

  test('drivers and staff', async () => {
    for (const cell of both()) {
      const driver = await createTestDriver(cell.db, { password: TEST_PASSWORD });
      const staff = await createTestStaff(cell, 'admin', { hasSecondFactor: false });
      await published(cell);
      const credentials = { email: driver.email, password: TEST_PASSWORD };
      const opened = await overHttp(cells.url, { token: '' })('createSession', credentials);
      expect([opened.status, opened.body.token]).toEqual([
        201,
        expect.stringMatching(new RegExp(`^navette_driver_${cell.tag}_`)),
      ]);
      const body = { email: staff.email, password: TEST_PASSWORD };
      const entered = await consoleCaller(cells.url)('signIn', { body });
      expect([entered.status, cookieOf(entered.headers)]).toEqual([
        201,
        expect.stringMatching(new RegExp(`^__Host-navette-console=navette_console_${cell.tag}_`)),
      ]);
    }
  });

  test('by the link of an invitation', async () => {
    for (const cell of both()) {
      const request = { email: `new-${cell.tag}@example.org`, role: 'read-only', language: 'fr' } as const;
      const invited = await cell.issue(() => inviteAsOperator(cell.db, shopOf(cell).id, request, cells.url));
      const token = String(invited?.link.split('#')[1]);
      const answer = await dashboardCaller(cells.url)('readInvitation', { body: { token } });
      expect([answer.status, answer.body.invitation?.email]).toEqual([200, request.email]);
    }
  });

  test('an unknown address and a wrong password get the same answer from any cell', async () => {
    const { email } = await createTestMember(cells.second, shopOf(cells.second).id);
    await published(cells.second);
    const answers = await Promise.all(
      [email, 'nobody@example.org'].map((address) =>
        dashboardCaller(cells.url)('signIn', { body: { email: address, password: 'wrong wrong wrong' } }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [401, answers[1]?.body],
      [401, answers[1]?.body],
    ]);
  });
});

/** Reports people to the directory, as the worker does every minute. */
async function published({ db, tag }: TestCell): Promise<void> {
  const directory = openDirectory(cells.directoryUrl);
  await publishSignInChanges(db, directory, tag);
  await directory.close();
}

describe('an account that is moved to the other cell while it ships', () => {
  let shop: Merchant;

  test('is in the new one, with every shipment once, and reached by its old key, session and links', async () => {
    shop = await cells.first.createMerchant();
    const member = await createTestMember(cells.first, shop.id);
    const webhook = { url: `${receiver.url}/moved`, events: ['shipping.created'] };
    await callApi(`${cells.url}${BASE_PATH}/webhooks`, shop, 'POST', { body: webhook });
    const shipping = keepShipping(cells.url, shop);
    const { created } = shipping;
    await Promise.race([eventually(() => expect(created.length).toBeGreaterThan(10)), shipping.ended]);
    const before = created.length;
    const target = ['--to', cells.second.tag, '--target-url', cells.second.database.url];
    const moved = await cells.first.navette('account', 'move', shop.id, ...target, '--json');
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    await Promise.race([eventually(() => expect(created.length).toBeGreaterThan(before + 10)), shipping.ended]);
    await shipping.stop();
    expect(shipping.refused).toBeGreaterThan(0);

    const rows = await cells.second.db
      .selectFrom('shipments')
      .select(['id', 'reference_number'])
      .where('account_id', '=', shop.id)
      .execute();
    expect(rows.map(({ id }) => id).toSorted()).toEqual(created.toSorted());
    expect(new Set(rows.map((row) => row.reference_number.slice(0, 2)))).toEqual(new Set(['P2', 'Q3']));
    await eventually(() => {
      const events = receiver.to('/moved').map(({ body }) => JSON.parse(body.toString()).data.id as string);
      expect(events.toSorted()).toEqual(created.toSorted());
    });
    expect((await dashboardCaller(cells.url, member)('readSession')).body.member.email).toBe(member.email);
    expect((await signInAs(cells.url, member.email, TEST_PASSWORD)).cookie).toContain(`_${cells.second.tag}_`);
    const old = rows.find((row) => row.reference_number.startsWith('P2'))?.reference_number as string;
    const link = `${cells.url}/t/${signReference(readConfig({}).linkSecrets, 'track', old)}`;
    expect((await fetch(link)).status).toBe(200);
    const audited = await cells.second.navette('audit');
    expect([audited.code, audited.stderr]).toEqual([0, '']);
  });
});

describe('a cell that is down harms only its own', () => {
  test.each([0, 1])('cell %i', async (index) => {
    const [down, up] = index === 0 ? [cells.first, cells.second] : [cells.second, cells.first];
    const member = await createTestMember(up, shopOf(up).id);
    await down.kill();
    await eventually(async () => {
      const answer = await call(down, 'GET', '/account');
      expect([answer.status, answer.headers.get('retry-after'), answer.body.success]).toEqual([503, '5', false]);
    });
    expect((await create(up)).referenceNumber).toEqual(onlyTag(up));
    await eventually(async () => expect(await health(cells.url)).toBe(200));
    expect((await signInAs(cells.url, member.email, TEST_PASSWORD)).cookie).toContain(`_${up.tag}_`);
    await down.start();
    await eventually(async () => expect((await call(down, 'GET', '/account')).status).toBe(200));
  });
});
