import type { Page } from 'playwright-core';
import { developersIn } from './developers-at-work.ts';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

const newOwner = (world: World) => world.newOwner;

const atWork = (path: string) => async (world: World) => {
  await developersIn(world);
  return path;
};

const failingWebhook = async (world: World) => `/developers/webhooks/${(await developersIn(world)).failingWebhookId}`;

const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: /^(Créer une clé|Create a key|Ajouter un webhook|Add a webhook)$/ }).click();
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
};

/** Expands the first matching entry of a list. */
const openEntry = (entry: string) => async (page: Page) => {
  await page.locator(entry).first().getByRole('button').first().click();
  await page.locator(entry).first().locator('dl, [data-attempt]').first().waitFor();
};

/** Pages for the merchant's developers. */
export const DEVELOPER_PAGES: DashboardPage[] = [
  { name: 'keys', path: atWork('/developers/keys') },
  { name: 'key-dialog', path: () => '/developers/keys', act: openDialog },
  { name: 'webhooks', path: atWork('/developers/webhooks') },
  { name: 'webhooks-new', path: () => '/developers/webhooks', as: newOwner },
  { name: 'webhook-dialog', path: () => '/developers/webhooks', act: openDialog },
  { name: 'webhook', path: failingWebhook, act: openEntry('[data-delivery]') },
  { name: 'requests', path: atWork('/developers/requests'), act: openEntry('[data-request]:has-text("400")') },
  { name: 'requests-new', path: () => '/developers/requests', as: newOwner },
  { name: 'start', path: () => '/developers/start' },
  { name: 'start-new', path: () => '/developers/start', as: newOwner },
];
