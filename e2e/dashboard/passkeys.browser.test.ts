import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_PASSWORD } from '../../server/test/dashboard.ts';
import { eventually } from '../../server/test/eventually.ts';
import { freePort } from '../../server/test/free-port.ts';
import { field } from '../window.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let origin: string;
beforeAll(async () => {
  const port = String(await freePort());
  origin = `http://localhost:${port}`; // browsers refuse passkeys for an IP address
  stage = await openStage({ PORT: port, PUBLIC_URL: origin });
});
afterAll(() => stage?.stop());

/** A phone with a fingerprint reader, as the browser's own developer tools simulate it. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

async function signInWithPassword(page: Page, email: string) {
  await page.goto(`${origin}/dashboard/sign-in`);
  await field(page, 'Adresse e-mail').fill(email);
  await field(page, 'Mot de passe').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await page.getByRole('heading', { name: 'Vue d’ensemble' }).waitFor();
}

describe('passkeys', () => {
  test('a member adds one, signs in with it alone, and removes it', async () => {
    const member = await stage.member((await stage.server.createAccount()).id);
    const { page, seen, close } = await stage.open('/sign-in');
    await addAuthenticator(page);
    await signInWithPassword(page, member.email);
    await page.goto(`${origin}/dashboard/profile`);
    await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nom de la clé').fill('Téléphone de Zoé');
    await field(dialog, 'Mot de passe actuel').fill(TEST_PASSWORD);
    await dialog.getByRole('button', { name: 'Continuer' }).click();
    await page.getByText('Téléphone de Zoé').waitFor();
    await page.getByText('jamais utilisée').waitFor();

    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in?next=%2Fprofile`);
    await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
    await page.getByText('utilisée le').waitFor(); // the page that was asked for
    expect(seen.complaints).toEqual([]);

    await page.getByRole('button', { name: 'Supprimer « Téléphone de Zoé »' }).click();
    await field(dialog, 'Mot de passe actuel').fill(TEST_PASSWORD);
    await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click();
    await page.getByText('Aucune clé d’accès pour l’instant.').waitFor();

    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
    await page.getByText('Clé d’accès refusée').waitFor();
    await eventually(() =>
      expect(stage.mailbox.sentTo(member.email).map(({ subject }) => subject)).toEqual([
        'Une clé d’accès a été ajoutée',
        'Une clé d’accès a été supprimée',
      ]),
    );
    await close();
  });
});
