import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { BASE_PATH } from '@navette/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMember } from '../../server/test/dashboard.ts';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { openStage, type Stage } from './stage.ts';

const run = promisify(execFile);
const PATIENCE = { timeout: 600_000 };

let stage: Stage;
let shop: TestAccount;
let developer: TestMember;
beforeAll(async () => {
  stage = await openStage();
  shop = await stage.server.createAccount({ paymentMode: 'deferred' });
  developer = await stage.member(shop.id, 'developer');
});
afterAll(() => stage?.stop());

/** Runs a command in a shell, as a developer would, and parses its output as JSON. */
const inShell = async (command: string) => JSON.parse((await run('bash', ['-c', command])).stdout);
const curl = (key: string) =>
  inShell(
    `curl -s '${stage.server.url}${BASE_PATH}/shipping/auth/test' -H 'Authorization: Bearer ${key}' -H 'X-Client-Id: ${shop.clientId}'`,
  );

/** Creates a key in the dialog and returns it. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Créer une clé' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nom').fill(name);
  await dialog.getByRole('button', { name: 'Créer une clé' }).click();
  const secret = (await page.getByRole('region', { name: 'Clé API' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Je l’ai enregistrée' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return secret;
}

describe('a developer of the merchant', () => {
  test('creates a key, uses it with curl, revokes it, and sees it refused', PATIENCE, async () => {
    const { page, seen, close } = await stage.open('/developers/keys', developer);
    const key = await makeKey(page, 'Boutique <b>en ligne</b>');
    expect(key).toMatch(/^navette_key_[0-9A-Za-z]{43}$/);
    expect(await page.content()).not.toContain(key);
    expect(await curl(key)).toMatchObject({ success: true, apiKey: { name: 'Boutique <b>en ligne</b>' } });

    const card = page.locator('[data-key]', { hasText: 'Boutique' });
    await page.reload();
    await card.getByText('Jamais utilisée').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Révoquer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Révoquer' }).click();
    await card.getByText('Révoquée', { exact: true }).waitFor();
    await eventually(async () => expect(await curl(key)).toMatchObject({ error: 'INVALID_API_KEY' }));
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test(
    'adds a webhook, tries it, and sees the three attempts of a failing delivery with their signatures',
    PATIENCE,
    async () => {
      stage.receiver.behave('/journey', (_request, response) => response.writeHead(500).end('on fire'));
      const { page, close } = await stage.open('/developers/webhooks', developer);
      await page.getByRole('button', { name: 'Ajouter un webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Adresse').fill('http://10.0.0.1/private');
      await dialog.getByRole('button', { name: 'Ajouter un webhook' }).click();
      await dialog.getByText('réseau privé ou local').waitFor();
      await dialog.getByLabel('Adresse').fill(`${stage.receiver.url}/journey`);
      await dialog.getByRole('button', { name: 'Ajouter un webhook' }).click();

      await page.getByRole('button', { name: 'Afficher le secret' }).click();
      await page.locator('[data-secret]', { hasText: 'navette_whsec_' }).waitFor();
      const secret = (await page.locator('[data-secret]').textContent()) ?? '';
      await page.getByRole('button', { name: 'Envoyer un test' }).click();
      await page.locator('[data-test-result]').getByText('Refusé : votre serveur a répondu 500').waitFor();
      expect(stage.receiver.to('/journey')).toHaveLength(1);

      await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
      await page.getByText('Échec définitif', { exact: true }).first().waitFor({ timeout: 240_000 });
      await page.locator('[data-delivery]').first().getByRole('button').first().click();
      const attempts = page.locator('[data-attempt]');
      await attempts.nth(2).waitFor();
      const shown = await attempts.getByRole('region', { name: 'Requête envoyée' }).allTextContents();
      const arrived = stage.receiver.to('/journey').slice(1);
      expect(shown).toHaveLength(3);
      for (const [i, text] of shown.entries()) {
        const [head = '', body = ''] = text.split('\n\n');
        const timestamp = /X-Service-Timestamp: (.*)/.exec(head)?.[1];
        const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
        expect(head).toContain(`X-Service-Signature: sha256=${mac}`);
        expect(arrived[i]?.headers['x-service-signature']).toBe(`sha256=${mac}`);
      }
      await close();
    },
  );

  test('sees why a webhook was paused, on the overview and on its page, and resumes it', PATIENCE, async () => {
    const account = await stage.server.createAccount({ paymentMode: 'deferred' });
    await stage.server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    const member = await stage.member(account.id, 'developer');
    const body = { url: `${stage.receiver.url}/paused`, events: ['shipping.created'] };
    const { webhook } = (await member.call('createWebhook', { body })).body;
    await stage.server.db
      .updateTable('webhooks')
      .set({ is_active: false, failing_since: new Date(), paused_at: new Date(), pause_reason: 'failing' })
      .where('id', '=', webhook.id)
      .execute();
    const { page, seen, close } = await stage.open('/', member);
    const line = page.getByText('1 webhook a échoué pendant trois jours et est en pause');
    await line.getByRole('link', { name: 'Voir' }).click();
    await page.getByRole('link', { name: body.url }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Mis en pause par Navette le' });
    await alert.getByText('aucun événement n’a pu être remis').waitFor();
    await page.getByRole('button', { name: 'Reprendre' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.getByText('Actif', { exact: true }).waitFor();
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test(
    'sends a first shipment with the commands of the page as they stand there, and watches the steps tick',
    PATIENCE,
    async () => {
      const account = await stage.server.createAccount({
        paymentMode: 'deferred',
        timeSlots: [{ label: "L'après-midi (14h-16h)" }],
      });
      const { page, close } = await stage.open('/developers/start', await stage.member(account.id, 'developer'));
      const key = await makeKey(page, 'Premier essai');
      const command = async (name: string) => (await page.getByRole('region', { name }).textContent()) ?? '';
      expect(await command('Vérifier la clé')).toContain(key);
      expect(await inShell(await command('Vérifier la clé'))).toMatchObject({ success: true });
      const { shipping } = await inShell(await command('Créer un envoi'));
      expect(shipping).toMatchObject({
        status: 'programmed',
        scheduledDelivery: { timeSlot: "L'après-midi (14h-16h)" },
      });
      const again = await inShell(await command('Créer un envoi'));
      expect(again).toMatchObject({ idempotent: true, shipping: { _id: shipping._id } });
      for (const step of ['key', 'test', 'shipment']) {
        await page.locator(`[data-step=${step}][data-done=true]`).waitFor({ timeout: 240_000 });
      }
      await page.getByText('TypeScript', { exact: true }).click();
      const script = await run(process.execPath, [
        '--input-type=module-typescript',
        '-e',
        await command('Vérifier la clé'),
      ]);
      expect(script.stdout).toMatch(/^200 /);

      await page.getByRole('link', { name: 'Journal des requêtes' }).last().click();
      const line = page.locator('[data-request]', { hasText: '/shipping' });
      await line.first().waitFor();
      await page.getByLabel('Identifiant de requête').fill((await line.last().getAttribute('data-request')) ?? '');
      await expect.poll(() => page.locator('[data-request]').count(), { timeout: 240_000 }).toBe(1);
      await close();
    },
  );
});

test('a member without the role sees no developer pages, and the API refuses them', PATIENCE, async () => {
  const reader = await stage.member(shop.id, 'read-only');
  const { page, close } = await stage.open('/developers/keys', reader);
  await page.getByText('Page réservée à d’autres rôles').waitFor();
  expect(await page.getByRole('link', { name: 'Clés API' }).count()).toBe(0);
  const before = (await developer.call('listKeys')).body;
  const answer = await reader.call('createKey', { body: { name: 'x', scopes: ['read'] } });
  expect(answer).toMatchObject({ status: 403, body: { error: 'ROLE_NOT_ALLOWED' } });
  expect((await developer.call('listKeys')).body).toEqual(before);
  await close();
});
