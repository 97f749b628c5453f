import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/dashboard.ts';
import { closeSampleMonths } from '../../server/test/invoicing.ts';
import { DEVELOPER_PAGES } from './developer-pages.ts';
import { IMPORT_PAGES } from './import-pages.ts';
import { MEMBER_PAGES } from './member-pages.ts';
import { PAYMENT_PAGES } from './payment-pages.ts';
import { RECURRING_PAGES } from './recurring-pages.ts';
import { SHIPMENT_PAGES } from './shipment-pages.ts';
import type { World } from './world.ts';

export interface DashboardPage {
  /** Name of its screenshots. */
  name: string;
  /** Path below /dashboard. Creates the data that the page shows; called once per run. */
  path: (world: World) => string | Promise<string>;
  /** The member who opens it: the owner of the busy shop when absent, null without a session. */
  as?: (world: World) => TestMember | null;
  /** Prepares the page: opens a dialog, fills a form. */
  act?: (page: Page) => Promise<void>;
}

async function issueInvoices({ stage: { server }, newShop }: World): Promise<string> {
  await closeSampleMonths(server.db, newShop.id);
  return '/account/invoices';
}

/** Every page of the dashboard, for `npm run gallery` and accessibility.long.test.ts. */
export const PAGES: DashboardPage[] = [
  { name: 'overview', path: () => '/' },
  { name: 'overview-new', path: () => '/', as: ({ newOwner }) => newOwner },
  { name: 'account', path: () => '/account' },
  { name: 'account-blocked', path: () => '/account', as: ({ newOwner }) => newOwner },
  {
    name: 'account-pickup',
    path: () => '/account',
    as: ({ newOwner }) => newOwner,
    act: (page) => page.getByRole('button', { name: /Ajouter l’adresse|Add a pickup address/ }).click(),
  },
  { name: 'messages', path: () => '/account/messages' },
  { name: 'ledger', path: () => '/account/ledger' },
  { name: 'invoices', path: issueInvoices, as: ({ newOwner }) => newOwner },
  { name: 'not-found', path: () => '/nowhere' },
  { name: 'sign-in', path: () => '/sign-in', as: () => null },
  ...SHIPMENT_PAGES,
  ...PAYMENT_PAGES,
  ...RECURRING_PAGES,
  ...IMPORT_PAGES,
  ...MEMBER_PAGES,
  ...DEVELOPER_PAGES,
];

/** Waits for the title and for all loading to finish. */
export async function settle(page: Page, entry: DashboardPage): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await entry.act?.(page);
}
