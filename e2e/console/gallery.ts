/**
 * Takes screenshots of every page of the console into var/gallery-console: in both languages, light and dark, on a desktop;
 * in French also on a tablet and a 27-inch screen. One page: `npm run gallery:console -- -t staff`.
 * `-t docs` draws the pictures of docs/console.md.
 */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { DESKTOP } from '../window.ts';
import { type ConsoleWorld, createConsoleWorld, openPage, PAGES } from './pages.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const folder = new URL('../../var/gallery-console/', import.meta.url).pathname;
const TABLET = { width: 820, height: 1180 };
const LARGE = { width: 2560, height: 1440 };
const SHOTS = [
  { locale: 'fr-FR', colorScheme: 'light', screen: 'desktop', viewport: DESKTOP },
  { locale: 'en-GB', colorScheme: 'dark', screen: 'desktop', viewport: DESKTOP },
  { locale: 'fr-FR', colorScheme: 'light', screen: 'tablet', viewport: TABLET },
  { locale: 'fr-FR', colorScheme: 'dark', screen: 'large', viewport: LARGE },
] as const;

let stage: ConsoleStage;
let world: ConsoleWorld;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  stage = await openConsoleStage();
  world = await createConsoleWorld(stage);
});
afterAll(() => stage?.stop());

test.each(PAGES)('$name', { timeout: 600_000 }, async (entry) => {
  for (const { locale, colorScheme, screen, viewport } of SHOTS) {
    const { page, close } = await openPage(world, entry, { locale, colorScheme, viewport });
    const isDialogOpen = (await page.getByRole('dialog').count()) > 0;
    const path = `${folder}${entry.name}-${locale.slice(0, 2)}-${colorScheme}-${screen}.png`;
    await page.screenshot({ path, fullPage: !isDialogOpen });
    await close();
  }
});

const PICTURES = [
  'inbox',
  'inbox-assign',
  'inbox-conflict',
  'dispatch',
  'dispatch-assign',
  'search',
  'shipment',
  'merchant',
  'figures',
  'view',
  'staff',
];

test('docs', { timeout: 600_000 }, async () => {
  const images = new URL('../../docs/images/console/', import.meta.url).pathname;
  mkdirSync(images, { recursive: true });
  for (const entry of PAGES.filter(({ name }) => PICTURES.includes(name))) {
    const { page, close } = await openPage(world, entry, { locale: 'en-GB', viewport: DESKTOP });
    await page.screenshot({ path: `${images}${entry.name}.jpg`, type: 'jpeg', quality: 70 });
    await close();
  }
});
