import type { StaffRole } from '@navette/contract';
import type { Page } from 'playwright-core';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { ship, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver, overHttp } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { type MockedInbox, mockInbox } from './mock-inbox.ts';
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
  return { stage, staff, newcomer, subject: await createSubject(stage, staff.dispatcher) };
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
  { name: 'driver', path: ({ subject }) => `/drivers/${subject.driverId}` },
];

/** Every page of the console, for `npm run gallery:console` and accessibility.long.test.ts. */
export const PAGES: ConsolePage[] = [
  { name: 'sign-in', path: () => '/sign-in', as: nobody },
  { name: 'forgotten-password', path: () => '/forgotten-password', as: nobody },
  { name: 'invitation', path: invitationLink, as: nobody },
  { name: 'second-factor', path: () => '/', as: ({ newcomer }) => newcomer },
  ...INBOX_PAGES.map((page) => ({ ...page, mock: mockInbox })),
  ...SUBJECT_PAGES,
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
