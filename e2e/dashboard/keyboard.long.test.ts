import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settle } from './pages.ts';
import { openStage, PHONE, type Stage } from './stage.ts';
import { createWorld, type World } from './world.ts';

let stage: Stage;
let world: World;
beforeAll(async () => {
  stage = await openStage();
  world = await createWorld(stage);
});
afterAll(() => stage?.stop());

const open = async (path: string, options = {}) => {
  const tab = await stage.open(path, world.owner, options);
  await settle(tab.page, { name: path, path: () => path });
  return tab;
};
const focused = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).first();

// The button that opens the dialog, and has the focus again once Escape has closed it.
const DIALOGS = [
  ['/developers/keys', 'Créer une clé'],
  ['/developers/keys', 'Révoquer'],
  ['/developers/webhooks', 'Ajouter un webhook'],
  ['/team', 'Inviter'],
  ['/account', 'Modifier l’adresse'],
  ['/profile', 'Activer'],
] as const;

describe('keyboard users', () => {
  test.each(DIALOGS)('%s: “%s” opens a dialog that traps the focus, and restores it', async (path, name) => {
    const { page, close } = await open(path);
    await page.getByRole('button', { name, exact: true }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator(':focus').waitFor();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      expect(await dialog.locator(':focus').count()).toBe(1);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(page, name).waitFor();
    await close();
  });

  test('a new key has the focus, so that an accidental Enter does not close the dialog', async () => {
    const { page, close } = await open('/developers/keys');
    await page.getByRole('button', { name: 'Créer une clé' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Nom').waitFor();
    await page.keyboard.type('Caisse');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Clé API' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Je l’ai enregistrée' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Caisse').waitFor();
    await focused(page, 'Créer une clé').waitFor();
    await close();
  });

  test('select lines and clear the selection without losing the focus', async () => {
    const { page, close } = await open('/shipments');
    await page.getByLabel('Sélectionner CMD-2074').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Tout désélectionner' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 sélectionné', { exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.getByLabel('Sélectionner tous les envois affichés').and(page.locator(':focus')).waitFor();
    await close();
  });

  test('cannot focus invisible elements: the closed menu of a phone', async () => {
    const { page, close } = await open('/team', { viewport: PHONE });
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.focus();
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab');
    await focused(page, 'Inviter').waitFor(); // after mode, language and theme
    await menu.press('Enter');
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Vue d’ensemble' }).and(page.locator(':focus')).waitFor();
    await close();
  });
});
