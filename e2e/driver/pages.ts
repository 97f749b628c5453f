import type { Page } from 'playwright-core';
import { COLLECTION, DELIVERY, HISTORY, type MockData, OFFER, PICKUP, WITH_INCIDENT } from './mock-api.ts';
import { typeCode } from './stage.ts';

export interface DriverPage {
  /** Name of its pictures. */
  name: string;
  path: string;
  isSignedOut?: true;
  /** Selector of something that only this page has, where another page is shown before it. */
  shows?: string;
  /** The network fails once the page is open. */
  isOffline?: true;
  data?: Partial<MockData>;
  /** Prepares the page: types a code, opens a list. */
  act?: (page: Page) => Promise<unknown>;
}

const USUAL: MockData = {
  shippings: [PICKUP, DELIVERY, COLLECTION],
  ...{ offers: [], history: HISTORY, isAvailable: true, isPaid: true },
};
export const dataOf = ({ data }: DriverPage): MockData => ({ ...USUAL, ...data });

const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click();

/** Works without network: two steps of one run. */
async function workOffline(page: Page): Promise<void> {
  await press(page, /J’ai le colis|I have the parcel/);
  await press(page, /Je pars livrer|Start delivery/);
  await page.locator('.offline').waitFor();
}

/** Every page of the app and its important states, for the gallery and accessibility.long.test.ts. */
export const PAGES: DriverPage[] = [
  { name: 'sign-in', path: '/', isSignedOut: true },
  { name: 'forgotten', path: '/forgotten', shows: '.back', isSignedOut: true },
  { name: 'welcome', path: '/welcome#token', shows: 'input[autocomplete="new-password"]', isSignedOut: true },
  { name: 'start-location', path: '/start', shows: '.start-step :is(.message, button)' },
  {
    name: 'start-install',
    path: '/start',
    act: async (page) => {
      for (let step = 0; step < 3; step++) await press(page, /^(Continuer|Continue)$/);
    },
  },
  { name: 'home', path: '/', shows: '.stops' },
  { name: 'home-empty', path: '/', shows: '.empty', data: { shippings: [], isAvailable: false, isPaid: false } },
  { name: 'home-order', path: '/', shows: '.stops', act: (page) => press(page, /Changer l’ordre|Change order/) },
  { name: 'offer', path: '/', shows: '.offer', data: { offers: [OFFER] } },
  {
    name: 'offer-unpaid',
    path: '/',
    shows: '.offer',
    data: {
      offers: [
        { ...OFFER, pay: null },
        { ...OFFER, shipping: { ...OFFER.shipping, id: 'b' } },
      ],
    },
  },
  { name: 'stop-pickup', path: '/stop/run-1', shows: '.place' },
  { name: 'stop-collection', path: '/stop/run-3', shows: '.place' },
  { name: 'stop-delivery', path: '/stop/run-2', shows: '.place' },
  {
    name: 'stop-navigation',
    path: '/stop/run-2',
    shows: '.place',
    act: (page) => press(page, /Itinéraire|Directions/),
  },
  { name: 'stop-incident', path: '/stop/run-2', shows: '.message.warning', data: { shippings: [WITH_INCIDENT] } },
  { name: 'stop-offline', path: '/stop/run-1', shows: '.place', isOffline: true, act: workOffline },
  { name: 'code', path: '/stop/run-2/code', shows: '.keypad' },
  {
    name: 'code-wrong',
    path: '/stop/run-2/code',
    shows: '.keypad',
    data: { refusal: { status: 403, error: 'WRONG_DELIVERY_CODE', attemptsLeft: 3 } },
    act: async (page) => {
      await typeCode(page, '123456');
      await page.locator('.message.problem').waitFor();
    },
  },
  { name: 'scan', path: '/scan', shows: 'video, .message' },
  { name: 'proof', path: '/stop/run-2/proof', shows: 'canvas' },
  { name: 'problem', path: '/stop/run-2/problem', shows: 'textarea' },
  {
    name: 'problem-pickup',
    path: '/stop/run-1/problem',
    shows: 'textarea',
    act: (page) => press(page, /Rendre la course|Give the run back/),
  },
  {
    name: 'done',
    path: '/stop/run-2',
    shows: '.done',
    data: { shippings: [{ ...DELIVERY, status: 'delivered', deliveredAt: new Date().toISOString() }, PICKUP] },
  },
  { name: 'gone', path: '/stop/unknown' },
  { name: 'outbox-empty', path: '/outbox' },
  {
    name: 'outbox-waiting',
    path: '/stop/run-1',
    shows: '.place',
    isOffline: true,
    act: async (page) => {
      await workOffline(page);
      await page.getByRole('link', { name: /Retour|Back/ }).click();
      await page.getByRole('link', { name: /À envoyer|Outbox/ }).click();
    },
  },
  {
    name: 'cards',
    path: '/stop/run-1',
    shows: '.place',
    data: { refusal: { status: 409, error: 'COMMAND_ID_REUSED' } },
    act: async (page) => {
      await press(page, /J’ai le colis|I have the parcel/);
      await page.getByRole('link', { name: /Retour|Back/ }).click();
      await page.locator('.message.problem').waitFor();
    },
  },
  { name: 'history', path: '/history', shows: '.ended li' },
  { name: 'earnings', path: '/earnings', shows: '.total' },
  { name: 'settings', path: '/settings', shows: '.devices li' },
  {
    name: 'diagnosis',
    path: '/diagnosis',
    act: (page) => page.locator('.diagnosis[aria-busy="false"] li').first().waitFor(),
  },
  { name: 'not-found', path: '/nowhere' },
];
