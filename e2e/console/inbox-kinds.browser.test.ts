import { randomUUID } from 'node:crypto';
import { INBOX_KINDS, type InboxEntry, type InboxKind } from '@navette/contract';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localDay } from '../../server/src/calendar/local-calendar.ts';
import { pauseFailingWebhooks } from '../../server/src/features/webhooks/pause-failing-webhooks.handler.ts';
import { ageWebhooks } from '../../server/test/age-webhooks.ts';
import { assignTo, type Carried, carriedBy, lockCode } from '../../server/test/carried.ts';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { factsOf, ship, shipMany, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { type FakeTwilio, startFakeTwilio } from '../../server/test/fake-twilio.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { createOldSpecialRequest } from '../../server/test/old-special-request.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { subscribe } from '../../server/test/subscribe.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { workDone } from '../../server/test/test-worker.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const SETTINGS = {
  DISPATCH_RETRY_SECONDS: '600', // a search that found nobody stays so within a test
  INBOX_DRIVER_SILENT_MINUTES: '11',
  INBOX_WEBHOOK_FAILING_HOURS: '1',
};
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

let stage: ConsoleStage;
let twilio: FakeTwilio;
let shop: TestAccount;
let alex: TestStaff;
let sam: TestStaff;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  stage = await openConsoleStage({ ...SETTINGS, SMS_URL: twilio.url });
  shop = await stage.server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  alex = await createTestStaff(stage.server, 'admin', { name: 'Alex Dupont' });
  sam = await createTestStaff(stage.server, 'admin', { name: 'Sam Petit' });
});
afterAll(async () => {
  await stage?.stop();
  await twilio.stop();
});
afterEach(() => stage.server.setNow(null));

/** The cause of an entry, and the way a person ends it from its row. */
interface Journey {
  subjectId: string;
  end: (page: Page, row: Locator) => Promise<void>;
}

const dialogOf = (page: Page) => page.getByRole('dialog');
const nextAct = (row: Locator) => row.locator('[data-next-act]');

/** Presses the entry's button, fills the fields of its dialog by label, and submits it. */
async function act(page: Page, row: Locator, submit: string, fields: Record<string, string> = {}): Promise<void> {
  await nextAct(row).click();
  await submitDialog(page, submit, fields);
}

async function submitDialog(page: Page, submit: string, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await dialogOf(page).getByLabel(label).fill(value);
  await dialogOf(page).getByRole('button', { name: submit, exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** The act is a call: the row offers the driver's number. The rest happens on the road. */
async function callDriver(row: Locator): Promise<void> {
  expect(await nextAct(row).getAttribute('href')).toBe('tel:+33611111111');
}

/** The act is a call of the merchant, whose number the service does not have. */
const callMerchant = (page: Page, row: Locator) => act(page, row, 'J’ai compris');

const hire = (firstName: string, now = new Date()) => createTestDriver(stage.server.db, { firstName, now });
const carried = async (driver?: TestDriver, changes = {}): Promise<Carried> =>
  carriedBy(stage.server, shop, alex, driver ?? (await hire('Ana')), changes);

/** A shipment of yesterday's slot with its driver; the api’s clock is this many minutes before the slot's end. */
async function due(minutesBefore: number): Promise<{ id: string; driver: TestDriver; finish: () => Promise<unknown> }> {
  const { server } = stage;
  const scheduledDate = localDay(new Date(Date.now() - DAY_MS), server.config.timeZone);
  const morning = new Date(`${scheduledDate}T08:00:00Z`);
  server.setNow(morning);
  const driver = await hire('Ana', morning);
  const { _id: id } = await ship(server, shop, { scheduledDate, timeSlot: '14h-16h' });
  await workDone(server); // its time has come by the worker's clock, which is today's
  await assignTo(alex, id, driver);
  const { promisedUntil } = (await alex.call('readShipmentPage', { params: { id } })).body.shipment;
  server.setNow(new Date(Date.parse(promisedUntil) - minutesBefore * MINUTE_MS));
  const send = overHttp(server.url, driver);
  const finish = async () => {
    await send('pickUp', { id });
    await send('depart', { id });
    await send('deliver', { id, deliveryCode: (await factsOf(server, id)).code });
  };
  return { id, driver, finish };
}

/** A webhook whose endpoint is down: three events were given up. */
async function failing(path: string): Promise<{ id: string; account: TestAccount; fail: () => Promise<void> }> {
  const { server, receiver } = stage;
  const account = await server.createAccount({ paymentMode: 'deferred', name: 'Boutique en panne' });
  const { _id: id } = await subscribe(server, receiver, account, path);
  receiver.behave(path, (_request, response) => response.writeHead(500).end());
  const fail = async () => {
    await shipMany(server, account, 3);
    await workDone(server);
  };
  await fail();
  return { id, account, fail };
}

/** Damage that only an audit finds, what it found, and its repair. Nothing but an error of ours makes such an entry. */
async function audited(kind: 'audit_finding' | 'retention_late', damage: Damage): Promise<Journey> {
  const { server } = stage;
  const account = await server.createAccount({ paymentMode: 'deferred' });
  await ship(server, account);
  const subjects = async (): Promise<InboxEntry['subject'][]> =>
    (await alex.call('listInbox', { query: { kind, fresh: true } })).body.entries.map(
      (entry: InboxEntry) => entry.subject,
    );
  await runNavette(['audit'], server.environment);
  const before = (await subjects()).map(({ id }) => id);
  await damage.make(account.id);
  await runNavette(['audit'], server.environment);
  const found = (await subjects()).find(({ id }) => !before.includes(id));
  return {
    subjectId: found?.id ?? 'nothing was found',
    async end(page, row) {
      await nextAct(row).click();
      await dialogOf(page).getByText('npx navette audit').waitFor();
      await submitDialog(page, 'J’ai compris', {});
      await damage.repair(account.id);
      await runNavette(['audit'], server.environment);
    },
  };
}

interface Damage {
  make: (accountId: string) => Promise<unknown>;
  repair: (accountId: string) => Promise<unknown>;
}

const addToBalance = (accountId: string, cents: number) =>
  stage.server.db
    .updateTable('account_counters')
    .set((eb) => ({ balance_cents: eb('balance_cents', '+', cents) }))
    .where('account_id', '=', accountId)
    .execute();

const setCodes = (accountId: string, code: string | null) =>
  stage.server.db.updateTable('shipments').set({ delivery_code: code }).where('account_id', '=', accountId).execute();

/** One for each kind of the contract: a kind without a journey is a type error, and fails the test below. */
const JOURNEYS: Record<InboxKind, () => Promise<Journey>> = {
  async code_locked() {
    const parcel = await carried();
    await lockCode(parcel);
    return {
      subjectId: parcel.id,
      end: (page, row) => act(page, row, 'Confirmer la livraison', { Motif: 'Joint par téléphone' }),
    };
  },

  async incident_open() {
    const { id, send } = await carried();
    await send('reportIncident', { id, kind: 'recipient_absent', commandId: randomUUID(), note: 'Digicode changé' });
    return {
      subjectId: id,
      async end(page, row) {
        await row.getByText('Digicode changé').waitFor();
        await nextAct(row).click();
        await dialogOf(page).getByLabel('Laissé à un tiers').check();
        await submitDialog(page, 'Clore l’incident', { 'Personne qui a reçu le colis': 'Gardien', Motif: 'Convenu' });
      },
    };
  },

  async no_driver() {
    const { _id: id } = await ship(stage.server, shop);
    const karim = await hire('Karim');
    return {
      subjectId: id,
      async end(page, row) {
        await standAt(stage.server, karim, 40); // too far to be asked
        await nextAct(row).click();
        await page.getByLabel('Nom du livreur').fill('Karim');
        await page.getByRole('option').filter({ hasText: 'Karim' }).and(page.locator(':only-child')).click();
        await submitDialog(page, 'Attribuer à Karim Leroy', {});
      },
    };
  },

  async late() {
    const { id, finish } = await due(-5);
    return {
      subjectId: id,
      async end(_page, row) {
        await row.getByText(/a 5\smin de retard/).waitFor();
        await callDriver(row);
        await finish();
      },
    };
  },

  async driver_silent() {
    const driver = await hire('Solène');
    const { id, send, code } = await carried(driver);
    stage.server.setNow(new Date(Date.now() + 12 * MINUTE_MS));
    return {
      subjectId: driver.id,
      async end(_page, row) {
        await row.getByText(/Solène Leroy ne donne plus de nouvelles/).waitFor();
        await callDriver(row);
        await send('deliver', { id, deliveryCode: code });
      },
    };
  },

  async nearly_late() {
    const { id, finish } = await due(20);
    return {
      subjectId: id,
      async end(_page, row) {
        await row.getByText(/sera en retard dans 20\smin/).waitFor();
        await callDriver(row);
        await finish();
      },
    };
  },

  async no_place() {
    const { coordinates: _, ...unlocated } = shipmentRequest().deliveryAddress;
    const deliveryAddress = { ...unlocated, country: 'Atlantide', city: 'Nulle part', postalCode: '99999' };
    const { _id: id } = await ship(stage.server, shop, { deliveryAddress });
    return {
      subjectId: id,
      end: (page, row) => act(page, row, 'Placer l’adresse', { Latitude: '48.86, 2.33' }),
    };
  },

  async no_pickup_time() {
    const special = await createOldSpecialRequest(stage.server); // no interface creates one any more
    await ship(stage.server, special);
    return {
      subjectId: special.id,
      async end(page, row) {
        await nextAct(row).click();
        await dialogOf(page).getByRole('link', { name: 'Ouvrir la fiche' }).click();
        const settings = page.getByRole('region', { name: 'Réglages' });
        await settings.getByRole('button', { name: 'Modifier' }).click();
        const fields = { 'Heure d’enlèvement convenue': '17:30', Motif: 'Convenu par téléphone' };
        await submitDialog(page, 'Enregistrer', fields);
      },
    };
  },

  async offers_stopped() {
    const shape = { kind: 'circle', centre: { latitude: 48.4, longitude: -4.5 }, radiusMetres: 500 } as const;
    const endsAt = new Date(Date.now() + HOUR_MS).toISOString();
    const zone = { id: randomUUID(), shape, endsAt, reason: 'Crue', message: 'Une crue retarde votre livraison.' };
    expect(await sam.call('createZone', { body: zone })).toMatchObject({ status: 200 });
    return { subjectId: zone.id, end: (page, row) => act(page, row, 'Lever la zone') };
  },

  async message_failed() {
    const { server, mailbox } = stage;
    const person = { phoneNumber: '+33612340001', email: 'nobody@example.org' };
    await workDone(server); // no other message uses up these answers
    twilio.answerWith({ status: 400, code: 21_610 });
    mailbox.answerWith({ code: 550, at: 'rcpt' });
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, ...person };
    const { _id: id } = await ship(server, shop, { deliveryAddress });
    const { id: subjectId } = await eventually(() =>
      server.db
        .selectFrom('messages')
        .select('id')
        .where('shipment_id', '=', id)
        .where('kind', '=', 'recipient-sms')
        .where('status', '=', 'failed')
        .executeTakeFirstOrThrow(),
    );
    return {
      subjectId,
      async end(page, row) {
        await act(page, row, 'Renvoyer le message');
        await eventually(() => expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1));
      },
    };
  },

  async recipient_report() {
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, email: 'reporter@example.org' };
    const { id, send, code } = await carried(undefined, { deliveryAddress });
    await send('deliver', { id, deliveryCode: code });
    const link = await eventually(() => {
      const texts = stage.mailbox.sentTo('reporter@example.org').map(({ text }) => text ?? '');
      const found = /http\S+\/t\/[\w.-]+/.exec(texts.join('\n'))?.[0];
      if (!found) throw new Error('no mail with the link yet');
      return found;
    });
    const body = new URLSearchParams({ kind: 'damaged', message: 'Vase cassé' });
    expect((await fetch(`${link}/report?lang=fr`, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
    return {
      subjectId: id,
      async end(page, row) {
        await nextAct(row).click();
        await dialogOf(page).getByText('Vase cassé').waitFor();
        await submitDialog(page, 'Clore le signalement', { 'Comment le problème a été réglé': 'Remboursé' });
      },
    };
  },

  async approval_waiting() {
    const body = { amount: 99_000, reason: 'Règlement d’un litige', requestId: randomUUID() };
    const asked = await sam.call('creditAccount', { params: { id: shop.id }, body });
    expect(asked.status).toBe(202);
    return { subjectId: asked.body.approvalId, end: (page, row) => act(page, row, 'Approuver') };
  },

  async document_expiring() {
    const { id } = await hire('Mehdi');
    const soon = localDay(new Date(Date.now() + 5 * DAY_MS), stage.server.config.timeZone);
    const document = { number: 'X1', expiresOn: soon, version: 0 };
    const params = { id, kind: 'driving_licence' as const };
    expect(await sam.call('setDriverDocument', { params, body: document })).toMatchObject({ status: 200 });
    return {
      subjectId: id,
      async end(page, row) {
        await nextAct(row).click();
        await dialogOf(page).getByRole('link', { name: 'Ouvrir la fiche' }).click();
        const papers = page.getByRole('region', { name: 'Papiers' });
        await papers.getByRole('button', { name: 'Renseigner' }).first().click();
        const later = localDay(new Date(Date.now() + 400 * DAY_MS), stage.server.config.timeZone);
        await submitDialog(page, 'Enregistrer', { 'Valable jusqu’au': later });
      },
    };
  },

  async balance_empty() {
    const prepaid = await stage.server.createAccount({ paymentMode: 'prepaid', name: 'Sans solde' });
    const refused = await stage.server.call(prepaid, 'POST', '/shipping', { body: shipmentRequest() });
    expect(refused.body).toMatchObject({ error: 'INSUFFICIENT_BALANCE' });
    return {
      subjectId: prepaid.id,
      async end(page, row) {
        await callMerchant(page, row);
        await row.getByRole('link', { name: 'Ouvrir la fiche' }).click();
        await page.getByRole('button', { name: 'Créditer le compte' }).click();
        await submitDialog(page, 'Créditer', { Montant: '20', Motif: 'Virement reçu' });
      },
    };
  },

  async webhook_paused() {
    const { id, account, fail } = await failing('/paused');
    await ageWebhooks(stage.server, account, 73);
    await fail();
    await pauseFailingWebhooks(stage.server.db, stage.server.jobs, new Date()); // the worker's own job may be first
    return { subjectId: id, end: (page, row) => act(page, row, 'Réactiver le webhook') };
  },

  async webhook_failing() {
    const { id, account } = await failing('/down');
    stage.server.setNow(new Date(Date.now() + 2 * HOUR_MS));
    return {
      subjectId: id,
      async end(page, row) {
        await callMerchant(page, row);
        stage.receiver.behave('/down', (_request, response) => response.writeHead(200).end());
        await ship(stage.server, account);
      },
    };
  },

  audit_finding: () =>
    audited('audit_finding', {
      make: (id) => addToBalance(id, 1),
      repair: (id) => addToBalance(id, -1),
    }),

  retention_late: () =>
    audited('retention_late', {
      make: (id) => setCodes(id, null),
      repair: (id) => setCodes(id, '123456'),
    }),
};

describe('each kind of the inbox is produced, found, ended by a person in the browser, and gone', () => {
  test('no kind of the contract is without a journey', () => {
    expect(Object.keys(JOURNEYS).toSorted()).toEqual(Object.keys(INBOX_KINDS).toSorted());
  });

  test.each(Object.keys(INBOX_KINDS) as InboxKind[])('%s', async (kind) => {
    const { subjectId, end } = await JOURNEYS[kind]();
    const { page, seen, close } = await stage.open(`/?kind=${kind}`, alex);
    const row = page.locator(`li[data-key="${kind}:${subjectId}"]`);
    await row.waitFor();
    await end(page, row);
    // Where the person is: the row says that it is over, or has left.
    await row.locator('[data-next-act]').waitFor({ state: 'detached' });
    await eventually(async () => {
      await page.goto(`${stage.server.url}/console/?kind=${kind}`);
      await page
        .getByText(/^(Aucune entrée|\d+ entrées?)$/)
        .first()
        .waitFor();
      expect(await row.count()).toBe(0);
    });
    const { entries } = (await alex.call('listInbox', { query: { kind, fresh: true } })).body;
    expect(entries.map(({ subject }: InboxEntry) => subject.id)).not.toContain(subjectId);
    expect(seen.complaints).toEqual([]);
    await close();
  });
});
