import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { eventually } from '../../server/test/eventually.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let stage: ConsoleStage;
let admin: TestStaff;
beforeAll(async () => {
  stage = await openConsoleStage();
  admin = await createTestStaff(stage.server, 'admin', { name: 'Zoé Martin' });
});
afterAll(() => stage?.stop());

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();

test('an administrator creates a merchant with its first owner, changes its prices, suspends it, and learns who was first', async () => {
  const { server } = stage;
  const { page, seen, close } = await stage.open('/', admin);
  await menu(page, 'Commerçants');
  await page.getByRole('button', { name: 'Nouveau commerçant' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nom').fill('Chez Paul');
  await dialog.getByLabel('Adresse e-mail').first().fill('paul@example.org');
  await dialog.getByLabel('Prix minimum').fill('8,50');
  await dialog.getByLabel('Inviter un premier propriétaire').fill('owner@chez-paul.example');
  await dialog.getByRole('button', { name: 'Créer' }).click();
  await page.getByRole('heading', { name: 'Chez Paul' }).waitFor();
  await eventually(() => expect(stage.mailbox.sentTo('owner@chez-paul.example')).toHaveLength(1));
  const id = page.url().split('/').at(-1) ?? '';

  const money = page.getByRole('region', { name: 'Solde et prix' });
  await money.getByRole('button', { name: 'Modifier' }).click();
  await dialog.getByLabel('Prix minimum').fill('9,90');
  await dialog.getByRole('combobox', { name: 'État' }).or(dialog.getByLabel('État')).first().click();
  await page.getByRole('option', { name: 'suspendu' }).click();
  await dialog.getByText('Chez Paul ne pourra plus créer d’envoi').waitFor();
  await dialog.getByLabel('Motif').fill('Impayé de mai');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Les réglages de Chez Paul sont enregistrés.').waitFor();
  await money.getByText('suspendu').waitFor();
  await money.getByText(/^9,90/).waitFor();

  // The server's answer is shown at the field that it is about.
  await page.getByRole('region', { name: 'Réglages' }).getByRole('button', { name: 'Modifier' }).click();
  await dialog.getByLabel('Adresse e-mail').fill('paul@');
  await dialog.getByLabel('Conservation').fill('40000');
  await dialog.getByLabel('Motif').fill('Nouvelle adresse');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  const isWrong = page.locator('[aria-invalid=true]');
  for (const field of ['Adresse e-mail', 'Conservation']) await dialog.getByLabel(field).and(isWrong).waitFor();
  expect(await dialog.locator(isWrong).count()).toBe(2);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // A colleague saves while the form is open.
  await page.getByRole('region', { name: 'Réglages' }).getByRole('button', { name: 'Modifier' }).click();
  const colleague = await createTestStaff(server, 'support', { name: 'Aïcha Diallo' });
  const { version } = (await colleague.call('readMerchantPage', { params: { id } })).body.page.merchant;
  const settings = { smsPerDay: 40 };
  const first = { params: { id }, body: { version, reason: 'Avenant', settings } };
  expect(await colleague.call('updateMerchantSettings', first)).toMatchObject({ status: 200 });
  await dialog.getByLabel('SMS par jour').fill('10');
  await dialog.getByLabel('Motif').fill('Trop de SMS');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.getByText(/Aïcha Diallo/).waitFor();
  const { merchant } = (await colleague.call('readMerchantPage', { params: { id } })).body.page;
  expect(merchant).toMatchObject({ smsPerDay: 40, minimumPrice: 9.9, paymentStatus: 'suspended' });
  expect(seen.complaints.filter((text) => !/40[09]/.test(text))).toEqual([]);
  await close();
});

test('an administrator creates a driver, who gets a link, and disables the driver', async () => {
  const { page, seen, close } = await stage.open('/', admin);
  await menu(page, 'Livreurs');
  await page.getByRole('button', { name: 'Nouveau livreur' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Prénom').fill('Ana');
  await dialog.getByLabel('Nom', { exact: true }).or(dialog.getByLabel(/^Nom/)).first().fill('Leroy');
  await dialog.getByLabel('Adresse e-mail').fill('ana@example.org');
  await dialog.getByLabel('Téléphone').fill('06 12 34 56 78');
  await dialog.getByRole('button', { name: 'Créer' }).click();
  await page.getByRole('heading', { name: 'Ana Leroy' }).waitFor();
  await eventually(() => expect(stage.mailbox.sentTo('ana@example.org')).toHaveLength(1));
  await page.getByRole('button', { name: 'Désactiver' }).click();
  await dialog.getByLabel('Motif').fill('Fin de contrat');
  await dialog.getByRole('button', { name: 'Désactiver' }).click();
  await page.getByText('Ana Leroy est désactivé.').waitFor();
  await eventually(async () => expect(await page.getByRole('button', { name: 'Désactiver' }).count()).toBe(0));
  expect(seen.complaints).toEqual([]);
  await close();
});
