import { CONSOLE_BASE_PATH } from '@navette/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestIssuer, type TestIssuer } from '../../server/test/test-issuer.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let issuer: TestIssuer;
let stage: ConsoleStage;
beforeAll(async () => {
  issuer = await startTestIssuer();
  issuer.asks = true;
  stage = await openConsoleStage(issuer.settings);
  issuer.trust(`${stage.server.config.publicUrl}${CONSOLE_BASE_PATH}/single-sign-on/return`);
});
afterAll(async () => {
  await stage?.stop();
  await issuer.stop();
});

/** From the console's sign-in page to the provider's, and back. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Se connecter avec Example Ltd' }).click();
  await page.waitForURL(`${issuer.url}/**`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await page.waitForURL(`${stage.server.url}/console**`);
}

const personWith = (role: string, email: string) => ({
  id: email,
  claims: { email, email_verified: true, name: 'Ana Leroy', role },
});

describe('single sign-on in a browser', () => {
  test('leads from the sign-in page over the provider to the inbox, with the role of the claim, and out again', async () => {
    issuer.person = personWith('dispatcher', 'ana@example.org');
    const { page, seen, close } = await stage.open('/');
    await signIn(page);
    await page.getByRole('heading', { name: 'Rien à traiter' }).waitFor();
    await page.getByRole('button', { name: /Ana Leroy/ }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${stage.server.url}/console/log`);
    await page.getByText(/Vous avez le rôle «\sRégulateur\s»/).waitFor();

    await page.getByRole('button', { name: /Ana Leroy/ }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    await page.getByRole('link', { name: 'Se connecter avec Example Ltd' }).waitFor();
    await page.goto(`${stage.server.url}/console/`);
    await page.getByRole('link', { name: 'Se connecter avec Example Ltd' }).waitFor();
    expect(seen.complaints.filter((complaint) => !complaint.includes('401'))).toEqual([]); // nobody is signed in at first
    await close();
  });

  test('tells a person without a role of the console what is missing and whom to ask', async () => {
    issuer.person = personWith('intern', 'stagiaire@example.org');
    const { page, close } = await stage.open('/');
    await signIn(page);
    const alert = page.getByRole('alert');
    await alert.getByText(/Vous êtes bien identifié, mais votre compte n’a pas de rôle dans la console/).waitFor();
    await page.goto(`${stage.server.url}/console/dispatch`);
    await page.getByRole('link', { name: 'Se connecter avec Example Ltd' }).waitFor();
    await close();
  });
});
