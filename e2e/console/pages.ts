import type { StaffRole } from '@navette/contract';
import type { Page } from 'playwright-core';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { type MockedInbox, mockInbox } from './mock-inbox.ts';
import type { ConsoleStage } from './stage.ts';

/** Staff of each role, some invitations, and a log with a few acts. */
export interface ConsoleWorld {
  stage: ConsoleStage;
  staff: Record<StaffRole, TestStaff>;
  newcomer: TestStaff;
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
  return { stage, staff, newcomer };
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

/** Every page of the console, for `npm run gallery:console` and accessibility.long.test.ts. */
export const PAGES: ConsolePage[] = [
  { name: 'sign-in', path: () => '/sign-in', as: nobody },
  { name: 'forgotten-password', path: () => '/forgotten-password', as: nobody },
  { name: 'invitation', path: invitationLink, as: nobody },
  { name: 'second-factor', path: () => '/', as: ({ newcomer }) => newcomer },
  ...INBOX_PAGES.map((page) => ({ ...page, mock: mockInbox })),
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
