import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../server/test/dashboard.ts';
import { eventually } from '../../server/test/eventually.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { field } from '../window.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const PASSWORD = 'une phrase que je retiens';
const STEP_MS = 30_000;

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await openConsoleStage();
});
afterAll(() => stage?.stop());

const pathOf = (link: string) => link.slice(link.indexOf('/console') + '/console'.length);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const PAGES = ['À traiter', 'Régulation', 'Carte', 'Approbations', 'Chiffres', 'Commerçants', 'Livreurs', 'Équipe'];
const openPages = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link').allTextContents();

/** From the link of an invitation to the inbox: name, password, second factor. Returns the secret of the second factor. */
async function join(page: Page, name: string): Promise<string> {
  await heading(page, 'Rejoindre la console').waitFor();
  await field(page, 'Votre nom').fill(name);
  await field(page, 'Choisissez un mot de passe').fill(PASSWORD);
  await button(page, 'Accepter et se connecter').click();
  await heading(page, 'Activez la double authentification').waitFor();
  await field(page, 'Mot de passe actuel').fill(PASSWORD);
  await button(page, 'Continuer').click();
  const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code affiché par l’application').fill(codeOf(secret));
  await button(page, 'Activer la double authentification').click();
  await page.getByText('Vos codes de secours').waitFor();
  await button(page, 'Je les ai enregistrés').click();
  await heading(page, 'À traiter').waitFor();
  return secret;
}

describe('staff', () => {
  test('the first administrator comes from the command line; a second person is invited, and limited by their role', async () => {
    const call = ['staff', 'invite', 'zoe@navette.example', '--print', '--json'];
    const { stdout } = await runNavette(call, stage.server.environment);
    const admin = await stage.open(pathOf(JSON.parse(stdout).link));
    await join(admin.page, 'Zoé Martin');
    await heading(admin.page, 'Rien à traiter').waitFor();
    expect(await openPages(admin.page)).toEqual([
      ...PAGES.toSpliced(6, 0, 'Paiements', 'Factures'),
      'Journal des actes',
    ]);

    await admin.page.getByRole('link', { name: 'Équipe' }).click();
    await button(admin.page, 'Inviter').click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('Adresse e-mail').fill('lea@navette.example');
    await dialog.getByLabel('Régulateur').check();
    await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click();
    await button(admin.page, 'Annuler l’invitation de lea@navette.example').waitFor();
    const mail = await eventually(() => {
      const [found] = stage.mailbox.sentTo('lea@navette.example');
      if (!found) throw new Error('no mail yet');
      return found;
    });
    const link = /http\S+\/console\/invitation#\S+/.exec(mail.text ?? '')?.[0] ?? '';

    const dispatcher = await stage.open(pathOf(link));
    const secret = await join(dispatcher.page, 'Léa Morel');
    expect(await openPages(dispatcher.page)).toEqual(PAGES);
    await dispatcher.page.goto(`${stage.server.url}/console/log`);
    await heading(dispatcher.page, 'Votre rôle ne donne pas accès à cette page').waitFor();
    await dispatcher.page.getByText(/Vous avez le rôle «\sRégulateur\s»/).waitFor();
    const refused = await dispatcher.page.evaluate(`fetch('/console/api/acts').then((response) => response.json())`);
    expect(refused).toMatchObject({ error: 'ROLE_NOT_ALLOWED', needs: 'administer' });
    await dispatcher.page.goto(`${stage.server.url}/console/staff`);
    await dispatcher.page.getByText('Seul un administrateur peut inviter').waitFor();
    expect(await button(dispatcher.page, 'Inviter').count()).toBe(0);

    // A new role applies with the next request.
    await admin.page.reload();
    const row = admin.page.locator('li', { hasText: 'lea@navette.example' });
    await row.getByRole('combobox').or(row.locator('input')).first().click();
    await admin.page.getByRole('option', { name: 'Administrateur' }).click();
    await admin.page.getByText(/a maintenant le rôle/).waitFor();
    await dispatcher.page.reload();
    await button(dispatcher.page, 'Inviter').waitFor();

    await button(dispatcher.page, /Léa Morel/).click();
    await dispatcher.page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    await field(dispatcher.page, 'Adresse e-mail').fill('lea@navette.example');
    await field(dispatcher.page, 'Mot de passe').fill(PASSWORD);
    await button(dispatcher.page, 'Se connecter').click();
    await field(dispatcher.page, 'Code').fill(codeOf(secret, new Date(Date.now() + STEP_MS)));
    await button(dispatcher.page, 'Vérifier').click();
    await heading(dispatcher.page, 'À traiter').waitFor();
    expect(admin.seen.complaints).toEqual([]);
    await Promise.all([admin.close(), dispatcher.close()]);
  });
});
