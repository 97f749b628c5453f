import type { Page } from 'playwright-core';
import type { TestMember } from '../../server/test/dashboard.ts';
import { DEVELOPER_PAGES } from './developer-pages.ts';
import { IMPORT_PAGES } from './import-pages.ts';
import { MEMBER_PAGES } from './member-pages.ts';
import { SHIPMENT_PAGES } from './shipment-pages.ts';
import type { World } from './world.ts';

export interface DashboardPage {
  /** Of its screenshots. */
  name: string;
  /** Where it is, below /dashboard. Puts whatever else it shows into the world first; called once for each run. */
  path: (world: World) => string | Promise<string>;
  /** Who looks; the owner of the busy shop when absent, null for whoever is not signed in. */
  as?: (world: World) => TestMember | null;
  /** Brings it into the state worth a look: opens a dialog, fills a form. */
  act?: (page: Page) => Promise<void>;
}

/** Every page of the dashboard: photographed by `npm run gallery`, judged by accessibility.test.ts. */
export const PAGES: DashboardPage[] = [
  { name: 'overview', path: () => '/' },
  { name: 'overview-new', path: () => '/', as: ({ newOwner }) => newOwner },
  { name: 'account', path: () => '/account' },
  { name: 'account-blocked', path: () => '/account', as: ({ newOwner }) => newOwner },
  {
    name: 'account-pickup',
    path: () => '/account',
    as: ({ newOwner }) => newOwner,
    act: (page) => page.getByRole('button', { name: /Renseigner l’adresse|Set the address/ }).click(),
  },
  { name: 'ledger', path: () => '/account/ledger' },
  { name: 'not-found', path: () => '/nowhere' },
  { name: 'sign-in', path: () => '/sign-in', as: () => null },
  ...SHIPMENT_PAGES,
  ...IMPORT_PAGES,
  ...MEMBER_PAGES,
  ...DEVELOPER_PAGES,
];

/** A page is there when its title is and nothing is on its way. */
export async function settle(page: Page, entry: DashboardPage): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await entry.act?.(page);
}
