import { randomInt, randomUUID } from 'node:crypto';
import type { StaffRole } from '@navette/contract';
import type { Page } from 'playwright-core';
import { lastDays, localDay } from '../../server/src/calendar/local-calendar.ts';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { ship, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver, overHttp } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { addSampleFigures } from '../../server/test/fill-figures.ts';
import { closeSampleMonths } from '../../server/test/invoicing.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { type MockedInbox, mockInbox, mockProvider } from './mock-inbox.ts';
import type { ConsoleStage } from './stage.ts';

/** Staff of each role, some invitations, and a log with a few acts. */
export interface ConsoleWorld {
  stage: ConsoleStage;
  staff: Record<StaffRole, TestStaff>;
  newcomer: TestStaff;
  /** One of each thing that has a page of its own. */
  subject: { shipmentId: string; accountId: string; driverId: string };
}

export interface ConsolePage {
  /** Name of its screenshots. */
  name: string;
  /** Path below /console. */
  path: (world: ConsoleWorld) => string | Promise<string>;
  /** The person who opens it: the administrator when absent, null without a session. */
  as?: (world: ConsoleWorld) => TestStaff | null;
  /** Responses that stand for a busy day. */
  mock?: (page: Page) => Promise<MockedInbox>;
  /** Prepares the page: opens a dialog, presses keys. */
  act?: (page: Page, mocked: MockedInbox) => Promise<void>;
}

export async function createConsoleWorld(stage: ConsoleStage): Promise<ConsoleWorld> {
  const { server } = stage;
  const person = (role: StaffRole, name: string) =>
    createTestStaff(server, role, { name, email: `${role}@navette.example` });
  const staff = {
    admin: await person('admin', 'Zoé Martin'),
    dispatcher: await person('dispatcher', 'Léa Morel'),
    support: await person('support', 'Aïcha Diallo'),
    accountant: await person('accountant', 'Yanis Cohen'),
  };
  const newcomer = await createTestStaff(server, 'dispatcher', { name: 'Camille Durand', hasSecondFactor: false });
  for (const role of ['dispatcher', 'support'] as const) {
    await staff.admin.call('inviteStaff', { body: { email: `nouveau-${role}@navette.example`, role } });
  }
  await staff.admin.call('changeStaffRole', { params: { id: newcomer.id }, body: { role: 'support' } });
  const subject = await createSubject(stage, staff.dispatcher);
  await createBoard(stage);
  await createFigures(stage);
  return { stage, staff, newcomer, subject };
}

/** A merchant with a few orders; one was assigned, picked up and met with an incident. */
async function createSubject({ server }: ConsoleStage, dispatcher: TestStaff): Promise<ConsoleWorld['subject']> {
  const shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  const driver = await createTestDriver(server.db, { firstName: 'Karim' });
  await standAt(server, driver, 40);
  const { deliveryAddress } = shipmentRequest();
  const recipient = { ...deliveryAddress, recipientName: 'Gwenaëlle Tanguy' };
  const externalReference = { orderId: 'CMD-20418' };
  const { _id: id } = await ship(server, shop, { deliveryAddress: recipient, externalReference });
  for (const orderId of ['CMD-20419', 'CMD-20420']) await ship(server, shop, { externalReference: { orderId } });
  await server.call(shop, 'POST', '/shipping', { body: {} });
  const send = overHttp(server.url, driver);
  await eventually(async () => {
    const { body } = await dispatcher.call('readShipmentPage', { params: { id } });
    const kinds = body.story.map(({ kind }: { kind: string }) => kind);
    if (!kinds.includes('nobody_left')) throw new Error(`the search has not ended: ${kinds}`);
  });
  const { version } = (await dispatcher.call('readShipmentPage', { params: { id } })).body.shipment;
  await dispatcher.call('assignShipment', { params: { id }, body: { driverId: driver.id, version } });
  await send('pickUp', { id });
  await send('reportIncident', { id, kind: 'recipient_absent', note: 'Personne à l’adresse.' });
  return { shipmentId: id, accountId: shop.id, driverId: driver.id };
}

/** A second merchant with orders for now and for two slots of tomorrow, and drivers of every kind. */
async function createBoard({ server }: ConsoleStage): Promise<void> {
  const shop = await server.createAccount({ name: 'Librairie du Canal', paymentMode: 'deferred' });
  const towns = ['Montreuil', 'Pantin', 'Saint-Denis', 'Ivry-sur-Seine', 'Vincennes', 'Les Lilas'];
  const { deliveryAddress } = shipmentRequest();
  const scheduledDate = localDay(new Date(Date.now() + DAY_MS), server.config.timeZone);
  for (const [index, city] of towns.entries()) {
    const address = { ...deliveryAddress, city };
    await ship(server, shop, { deliveryAddress: address });
    const timeSlot = index % 2 === 0 ? '10h-12h' : '14h-16h';
    await ship(server, shop, { deliveryAddress: address, scheduledDate, timeSlot });
  }
  for (const firstName of ['Inès', 'Mehdi', 'Solène']) {
    const driver = await createTestDriver(server.db, { firstName });
    if (firstName !== 'Solène') await eventually(() => standAt(server, driver, 30)); // Redis may be slow for a moment
  }
  await createTestDriver(server.db, { firstName: 'Tom', available: false });
}

/** Forty days of figures of all merchants and drivers. */
async function createFigures({ server: { db, config } }: ConsoleStage): Promise<void> {
  const ids = async (table: 'accounts' | 'drivers') =>
    (await db.selectFrom(table).select('id').execute()).map(({ id }) => id);
  await addSampleFigures(db, {
    accountIds: await ids('accounts'),
    driverIds: await ids('drivers'),
    zones: ['75011', '75010', '93100', '75020', '93500', '94200', '94300', '93260'],
    days: lastDays(40, config.timeZone, new Date()),
    timeZone: config.timeZone,
    now: new Date(),
  });
}

const DAY_MS = 86_400_000;
const nobody = () => null;
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

/** The inbox, its dialogs and messages, for a busy day. */
const INBOX_PAGES: ConsolePage[] = [
  { name: 'inbox', path: () => '/' },
  { name: 'inbox-dispatcher', path: () => '/', as: ({ staff }) => staff.dispatcher },
  { name: 'inbox-kind', path: () => '/?kind=no_driver' },
  { name: 'inbox-keys', path: () => '/', act: (page) => page.keyboard.press('?') },
  {
    name: 'inbox-snooze',
    path: () => '/',
    act: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('s');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'inbox-resolve',
    path: () => '/',
    act: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('e');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'inbox-conflict',
    path: () => '/',
    act: async (page, mocked) => {
      mocked.refuseNext = true;
      await page.keyboard.press('j');
      await page.keyboard.press('t');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'inbox-gone',
    path: () => '/',
    act: async (page, mocked) => {
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      mocked.entries = mocked.entries.filter(({ kind }) => kind !== 'incident_open');
      await page.getByText(/N’est plus d’actualité|No longer so/).waitFor();
    },
  },
  {
    name: 'inbox-assign',
    path: () => '/',
    act: async (page) => {
      await row(page, 'Q4T8R2VN6C')
        .getByRole('button', { name: /^(Attribuer|Assign)$/ })
        .click();
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /(Attribuer à|Assign to) Inès/ }).waitFor();
    },
  },
  {
    name: 'inbox-locate',
    path: () => '/',
    act: async (page) => {
      await row(page, 'T9G3L7YB5S').locator('[data-next-act]').click();
      await page.getByLabel('Latitude').fill('3.1285, 48.4361');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'inbox-confirm', path: () => '/', act: (page) => openAct(page, 'K7M2P9XW4B') },
  {
    name: 'inbox-incident',
    path: () => '/',
    act: async (page) => {
      await openAct(page, '5N4MPK3S3M');
      await page.getByRole('radio').nth(2).click();
    },
  },
  { name: 'inbox-retry', path: () => '/', act: (page) => openAct(page, 'M5J7F3WD9K') },
  { name: 'inbox-decide', path: () => '/', act: (page) => openAct(page, /1.250/) },
];

async function openAct(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('listitem').filter({ hasText: text }).locator('[data-next-act]').click();
  await page.getByRole('dialog').waitFor();
}

/** The search, and the page of each thing. */
/** Of a merchant of their own, so that figures of other pages stay. */
async function issueInvoices({ stage: { server } }: ConsoleWorld): Promise<string> {
  const { id } = await server.createAccount({ name: 'Atelier Brume' });
  await closeSampleMonths(server.db, id);
  return '/invoices';
}

/** Of one merchant, at a certified platform. */
async function issueAtPlatform({ stage: { server } }: ConsoleWorld): Promise<string> {
  const { id } = await server.createAccount({ name: 'Librairie du Canal' });
  const [first = '', second = ''] = await closeSampleMonths(server.db, id);
  const now = new Date();
  const handover = { account_id: id, attempts: 1, created_at: now };
  await server.db
    .insertInto('invoice_handovers')
    .values([
      { ...handover, number: first, state: 'handed_over', platform_id: randomUUID(), handed_over_at: now },
      { ...handover, number: second, state: 'failed', failure: 'http_422' },
    ])
    .execute();
  await server.db
    .insertInto('invoice_statuses')
    .values({ account_id: id, number: first, reference: 's1', code: 205, at: now, received_at: now })
    .execute();
  return `/invoices?account=${id}`;
}

/** One that is credited, and one above the limit of one person. */
async function recordTransfers({ staff, subject }: ConsoleWorld): Promise<string> {
  for (const amount of [250, 9_000]) {
    const body = { payer: subject.accountId, amount, bankId: `BNP${randomInt(1e12)}`, receivedOn: '2026-01-15' };
    await staff.accountant.call('recordTransfer', { body });
  }
  return '/payments';
}

/** A payment of which Stripe received another amount. */
async function reviewPayment(world: ConsoleWorld): Promise<string> {
  const now = new Date();
  const values = { account_id: world.subject.accountId, method: 'checkout', status: 'review', amount_cents: 5_000 };
  const received = { received_cents: 4_900, received_currency: 'eur', failure: 'amount_mismatch' };
  await world.stage.server.db
    .insertInto('payments')
    .values({ id: randomUUID(), ...values, ...received, created_at: now, updated_at: now })
    .execute();
  return recordTransfers(world);
}

const SUBJECT_PAGES: ConsolePage[] = [
  {
    name: 'search',
    path: () => '/approvals',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('cmd-204');
      await page.getByRole('option').nth(2).waitFor();
    },
  },
  { name: 'shipment', path: ({ subject }) => `/shipments/${subject.shipmentId}`, as: ({ staff }) => staff.support },
  {
    name: 'shipment-confirm',
    path: ({ subject }) => `/shipments/${subject.shipmentId}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Confirmer la livraison|Confirm delivery)$/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'shipment-accountant',
    path: ({ subject }) => `/shipments/${subject.shipmentId}`,
    as: ({ staff }) => staff.accountant,
  },
  {
    name: 'merchant',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Calculer|Compute)$/ }).click();
      await page.getByRole('cell', { name: /^(Prix|Price)$/ }).waitFor();
    },
  },
  {
    name: 'merchant-credit',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Créditer le compte|Credit account)$/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'merchant-view-as', path: ({ subject }) => `/merchants/${subject.accountId}`, act: askForView },
  {
    name: 'view',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: async (page) => {
      await askForView(page);
      await page.getByLabel(/^(Motif|Reason)/).fill('CMD-20418');
      await page.getByRole('button', { name: /^(Ouvrir en lecture seule|Open read only)$/ }).click();
      await page.getByRole('button', { name: /^(Terminer la consultation|End the view)$/ }).waitFor();
    },
  },
  { name: 'driver', path: ({ subject }) => `/drivers/${subject.driverId}` },
  { name: 'merchants', path: () => '/merchants' },
  { name: 'invoices', path: issueInvoices, as: ({ staff }) => staff.accountant },
  { name: 'payments', path: recordTransfers, as: ({ staff }) => staff.accountant },
  { name: 'invoices-of-merchant', path: issueAtPlatform, as: ({ staff }) => staff.accountant },
  {
    name: 'payments-review',
    path: reviewPayment,
    as: ({ staff }) => staff.accountant,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(Créditer|Credit) / })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'payment-record',
    path: recordTransfers,
    act: async (page) => {
      await page.getByRole('button', { name: /^(Enregistrer un virement|Record a transfer)$/ }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('NV222222');
      await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
    },
  },
  {
    name: 'merchants-new',
    path: () => '/merchants',
    act: (page) => openForm(page, /^(Nouveau commerçant|New merchant)$/),
  },
  {
    name: 'merchant-settings',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: (page) => openForm(page, /^(Modifier|Edit)$/, /^(Réglages|Settings)$/),
  },
  {
    name: 'merchant-terms',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: (page) => openForm(page, /^(Modifier|Edit)$/, /^(Solde et prix|Balance and prices)$/),
  },
  {
    name: 'merchant-close',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: (page) => openForm(page, /^(Fermer le compte|Close account)$/),
  },
  {
    name: 'merchant-invite',
    path: ({ subject }) => `/merchants/${subject.accountId}`,
    act: (page) => openForm(page, /^(Inviter|Invite)$/),
  },
  { name: 'drivers', path: () => '/drivers' },
  { name: 'drivers-new', path: () => '/drivers', act: (page) => openForm(page, /^(Nouveau livreur|New driver)$/) },
  {
    name: 'driver-document',
    path: ({ subject }) => `/drivers/${subject.driverId}`,
    act: (page) => openForm(page, /^(Renseigner|Enter)$/),
  },
];

/** Opens the form of a button, by default the first of this name on the page. */
async function openForm(page: Page, name: RegExp, card?: RegExp): Promise<void> {
  const scope = card ? page.getByRole('region', { name: card }) : page;
  await scope.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
}

async function askForView(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Voir son tableau de bord|View their dashboard)$/ }).click();
  await page.getByRole('dialog').waitFor();
}

/** The dispatch board. */
const BOARD_PAGES: ConsolePage[] = [
  { name: 'dispatch', path: () => '/dispatch', act: selectTwo },
  { name: 'dispatch-slots', path: () => '/dispatch?list=slots' },
  {
    name: 'dispatch-assign',
    path: () => '/dispatch',
    act: async (page) => {
      await selectTwo(page);
      await page.keyboard.press('a');
      await page.getByRole('option').filter({ hasText: 'Inès' }).click();
      await page.getByRole('button', { name: /^(Attribuer 2 envois à|Assign 2 shipments to) Inès/ }).waitFor();
    },
  },
  { name: 'dispatch-keys', path: () => '/dispatch', act: (page) => page.keyboard.press('?') },
  { name: 'dispatch-not-allowed', path: () => '/dispatch', as: ({ staff }) => staff.accountant },
];

async function selectTwo(page: Page): Promise<void> {
  await page.getByRole('row').nth(2).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText(/^2 (envois choisis|shipments selected)$/).waitFor();
}

function lastWeek(): string {
  const [from = '', to = ''] = [8, 1].map((days) => localDay(new Date(Date.now() - days * DAY_MS), 'Europe/Paris'));
  return `from=${from}&to=${to}`;
}

async function waitForFigures(page: Page): Promise<void> {
  await page.getByRole('rowheader').first().waitFor();
}

/** Every page of the console, for `npm run gallery:console` and accessibility.long.test.ts. */
export const PAGES: ConsolePage[] = [
  { name: 'sign-in', path: () => '/sign-in', as: nobody },
  { name: 'sign-in-provider', path: () => '/sign-in', as: nobody, mock: mockProvider },
  {
    name: 'sign-in-no-role',
    path: () => '/sign-in?error=SINGLE_SIGN_ON_NO_ROLE',
    as: nobody,
    mock: mockProvider,
  },
  { name: 'forgotten-password', path: () => '/forgotten-password', as: nobody },
  { name: 'invitation', path: invitationLink, as: nobody },
  { name: 'second-factor', path: () => '/', as: ({ newcomer }) => newcomer },
  ...INBOX_PAGES.map((page) => ({ ...page, mock: mockInbox })),
  ...SUBJECT_PAGES,
  ...BOARD_PAGES,
  {
    name: 'map',
    path: () => '/map',
    act: async (page) => {
      await page.locator('[data-ready=true] canvas').waitFor();
      await page.getByText(/^(En direct|Live|Positions inconnues|Positions unknown)$/).waitFor();
    },
  },
  { name: 'figures', path: () => `/figures?${lastWeek()}`, act: waitForFigures },
  { name: 'figures-drivers', path: () => `/figures?${lastWeek()}&by=driver&measure=toDriver`, act: waitForFigures },
  {
    name: 'figures-dispatcher',
    path: () => `/figures?${lastWeek()}&by=zone&measure=toDoor`,
    as: ({ staff }) => staff.dispatcher,
    act: waitForFigures,
  },
  { name: 'figures-empty', path: () => '/figures?from=2020-01-01&by=merchant' },
  { name: 'approvals', path: () => '/approvals', mock: mockInbox },
  { name: 'staff', path: () => '/staff' },
  { name: 'staff-dispatcher', path: () => '/staff', as: ({ staff }) => staff.dispatcher },
  {
    name: 'staff-invite',
    path: () => '/staff',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Inviter|Invite)$/ }).click();
      await page.getByRole('dialog').locator('input[inputmode=email]').waitFor();
    },
  },
  { name: 'log', path: () => '/log' },
  { name: 'log-not-allowed', path: () => '/log', as: ({ staff }) => staff.dispatcher },
  { name: 'profile', path: () => '/profile' },
  { name: 'not-found', path: () => '/nowhere' },
];

async function invitationLink({ stage: { server } }: ConsoleWorld): Promise<string> {
  const call = ['staff', 'invite', 'lea@navette.example', '--role', 'dispatcher', '--print', '--json'];
  const { stdout } = await runNavette(call, server.environment);
  return `/invitation#${JSON.parse(stdout).link.split('#')[1]}`;
}

/** Waits for the title and for all loading to finish. */
export async function settle(page: Page, entry: ConsolePage, mocked: MockedInbox | undefined): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  if (entry.act) await entry.act(page, mocked ?? { entries: [], refuseNext: false });
}

/** Opens a page with its mocked responses, which must be in place before the first request. */
export async function openPage(
  world: ConsoleWorld,
  entry: ConsolePage,
  options: Parameters<ConsoleStage['open']>[2] = {},
) {
  const staff = entry.as ? entry.as(world) : world.staff.admin;
  const path = await entry.path(world);
  const tab = await world.stage.open('/assets/none', staff, options);
  tab.seen.complaints.length = 0;
  const mocked = await entry.mock?.(tab.page);
  await tab.page.goto(`${world.stage.server.url}/console${path}`);
  await settle(tab.page, entry, mocked);
  return { ...tab, mocked };
}
