import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../server/test/dashboard.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { field } from '../window.ts';
import { openStage, type Stage } from './stage.ts';

const PASSWORD = 'une phrase que je retiens';
const STEP_MS = 30_000;

let stage: Stage;
let shop: TestAccount;
beforeAll(async () => {
  stage = await openStage();
  shop = await stage.server.createAccount({ name: 'Fleurs & Fils' });
});
afterAll(() => stage?.stop());

const pathOf = (link: string) => link.slice(link.indexOf('/dashboard') + '/dashboard'.length);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await field(page, 'Adresse e-mail').fill(email);
  await field(page, 'Mot de passe').fill(password);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await button(page, /Zoé Martin/).click();
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
  await heading(page, 'Connexion').waitFor();
}

describe('the first owner', () => {
  test('is invited by the operator, chooses a password, turns the second factor on and signs in with it', async () => {
    const email = 'zoe@fleurs.example';
    const { stdout } = await runNavette(['account', 'invite', shop.id, email, '--json'], stage.server.environment);
    const { page, seen, close } = await stage.open(pathOf(JSON.parse(stdout).link));

    await heading(page, 'Rejoindre Fleurs & Fils').waitFor();
    await field(page, 'Votre nom').fill('Zoé Martin');
    await field(page, 'Choisissez un mot de passe').fill('court');
    await button(page, 'Accepter et se connecter').click();
    expect(await page.locator('input:invalid').count()).toBe(1);
    await field(page, 'Choisissez un mot de passe').fill(PASSWORD);
    await button(page, 'Accepter et se connecter').click();
    await button(page, /Zoé Martin/).waitFor();

    await page.goto(`${stage.server.url}/dashboard/profile`);
    await button(page, 'Activer').click();
    const dialog = page.getByRole('dialog');
    await field(dialog, 'Mot de passe actuel').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continuer' }).click();
    const secret = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? '';
    await dialog.getByLabel('Code affiché par l’application').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Activer la double authentification' }).click();
    await dialog.getByText('Vos codes de secours').waitFor();
    const recoveryCodes = await dialog.locator('li').allTextContents();
    expect(recoveryCodes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'Je les ai enregistrés' }).click();
    await page.getByText('Activée', { exact: true }).waitFor();

    await signOut(page);
    await page.goto(`${stage.server.url}/dashboard/team`); // redirects to the sign-in page
    await signIn(page, email, 'pas le bon mot de passe');
    await page.getByText(/E-mail ou mot de passe incorrect/).waitFor();
    await signIn(page, email, PASSWORD);
    await heading(page, 'Code de vérification').waitFor();
    await field(page, 'Code').fill('000000');
    await button(page, 'Vérifier').click();
    await page.getByText(/Code incorrect/).waitFor();
    await field(page, 'Code').fill(codeOf(secret, new Date(Date.now() + STEP_MS))); // the previous code is used up
    await button(page, 'Vérifier').click();
    await heading(page, 'Équipe').waitFor(); // the page that was requested before

    await signOut(page);
    await signIn(page, email, PASSWORD);
    await field(page, 'Code').fill(recoveryCodes[0] ?? '');
    await button(page, 'Vérifier').click();
    await heading(page, 'Vue d’ensemble').waitFor();
    expect(seen.complaints.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
    await close();
  });

  test('who forgot the password resets it by mail and is signed out everywhere', async () => {
    const owner = await stage.member(shop.id);
    const elsewhere = await stage.open('/profile', owner);
    await heading(elsewhere.page, 'Mon profil').waitFor();
    const { page, close } = await stage.open('/sign-in');
    await page.getByRole('link', { name: /Mot de passe oublié/ }).click();
    await field(page, 'Adresse e-mail').fill(owner.email);
    await button(page, 'Envoyer le lien').click();
    await heading(page, 'Consultez votre messagerie').waitFor();
    await vi.waitFor(() => expect(stage.mailbox.sentTo(owner.email)).toHaveLength(1), { timeout: 240_000 });
    const link = /http\S+\/dashboard\/reset#\S+/.exec(stage.mailbox.sentTo(owner.email)[0]?.text ?? '')?.[0] ?? '';
    await page.goto(link);
    await field(page, 'Nouveau mot de passe').fill(PASSWORD);
    await button(page, 'Enregistrer le mot de passe').click();
    await heading(page, 'Connexion').waitFor();
    await signIn(page, owner.email, PASSWORD);
    await heading(page, 'Vue d’ensemble').waitFor();
    await elsewhere.page.reload();
    await heading(elsewhere.page, 'Connexion').waitFor();
    await page.goto(link);
    await field(page, 'Nouveau mot de passe').fill(PASSWORD);
    await button(page, 'Enregistrer le mot de passe').click();
    await heading(page, 'Ce lien n’est plus valable').waitFor();
    await Promise.all([close(), elsewhere.close()]);
  });
});

describe('the team', () => {
  test('an owner invites, changes a role and removes; it takes effect immediately for the other member', async () => {
    const owner = await stage.member(shop.id);
    const member = await stage.member(shop.id, 'read-only');
    const { page, close } = await stage.open('/team', owner);
    await button(page, 'Inviter').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Adresse e-mail').fill('lea@fleurs.example');
    await dialog.getByLabel('Développeur').check();
    await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click();
    await button(page, 'Annuler l’invitation de lea@fleurs.example').waitFor();
    await vi.waitFor(() => expect(stage.mailbox.sentTo('lea@fleurs.example')).toHaveLength(1), { timeout: 240_000 });

    const row = page.locator('li', { hasText: member.email });
    await row.getByRole('combobox').or(row.locator('input')).first().click();
    await page.getByRole('option', { name: 'Propriétaire' }).click();
    await page.getByText(/a maintenant le rôle/).waitFor();
    expect(await member.call('readSession')).toMatchObject({ body: { member: { role: 'owner' } } });

    const theirs = await stage.open('/team', member);
    await button(theirs.page, 'Inviter').waitFor();
    await member.call('createKey', { body: { name: 'Caisse', scopes: ['read'] } });
    await row.getByRole('button', { name: /^Supprimer/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
    await page.getByText(/n’a plus accès au compte/).waitFor();
    await page.getByText('Des clés API sont encore actives').waitFor();
    await page.getByText(/^Membre supprimé · /).waitFor();
    const keys = await stage.open('/developers/keys', owner);
    await keys.page.getByText('Créée par un ancien membre').waitFor();
    await keys.page.getByText(`Créée par ${member.email}`).waitFor();
    await keys.close();
    await theirs.page.reload();
    await heading(theirs.page, 'Connexion').waitFor();
    await Promise.all([close(), theirs.close()]);
  });

  test('a person with an internationalised address is invited, joins and signs in with it', async () => {
    const email = 'jürgen@müller.example';
    const { page, close } = await stage.open('/team', await stage.member(shop.id));
    await button(page, 'Inviter').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Adresse e-mail').fill(` ${email} `); // pasted with spaces around it
    await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click();
    await button(page, `Annuler l’invitation de ${email}`).waitFor();
    await vi.waitFor(() => expect(stage.mailbox.sentTo(email)).toHaveLength(1), { timeout: 240_000 });
    const link = /http\S+\/dashboard\/\S+#\S+/.exec(stage.mailbox.sentTo(email)[0]?.text ?? '')?.[0] ?? '';
    const theirs = await stage.open(pathOf(link));
    await field(theirs.page, 'Votre nom').fill('Zoé Martin');
    await field(theirs.page, 'Choisissez un mot de passe').fill(PASSWORD);
    await button(theirs.page, 'Accepter et se connecter').click();
    await signOut(theirs.page);
    await signIn(theirs.page, email, PASSWORD);
    await heading(theirs.page, 'Vue d’ensemble').waitFor();
    await Promise.all([close(), theirs.close()]);
  });

  test('a read-only member sees no action, and the API refuses them', async () => {
    const member = await stage.member(shop.id, 'read-only');
    const { page, close } = await stage.open('/team', member);
    await page.getByText(/Seul un propriétaire du compte/).waitFor();
    await page.getByText(member.email).waitFor();
    for (const name of ['Inviter', /^Supprimer/, /^Renvoyer/, /^Annuler/])
      expect(await button(page, name).count()).toBe(0);
    expect(await page.getByText('Journal de sécurité').count()).toBe(0);
    const status = await page.evaluate(async (id) => {
      const { csrfToken } = (await (await fetch('/dashboard/api/session')).json()) as { csrfToken: string };
      const answer = await fetch(`/dashboard/api/team/members/${id}/role`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
        body: '{"role":"owner"}',
      });
      return answer.status;
    }, member.id);
    expect(status).toBe(403);
    expect(await member.call('readSession')).toMatchObject({ body: { member: { role: 'read-only' } } });
    await close();
  });
});
