import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

test('a developer narrows a key to resources and networks, and owners get a mail when it is widened again', async () => {
  const { server, mailbox } = stage;
  const shop = await server.createAccount();
  const owner = await stage.member(shop.id, 'owner');
  const developer = await stage.member(shop.id, 'developer');
  const { secret } = (await developer.call('createKey', { body: { name: 'Caisse', scopes: ['read'] } })).body;
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'x-client-id': shop.clientId };
    return (await fetch(`${server.url}/pro/api/v1${path}`, { headers })).status;
  };
  const { page, close } = await stage.open('/developers/keys', developer);
  const open = async () => {
    const card = page.getByRole('listitem').filter({ hasText: 'Caisse' });
    await card.getByRole('button', { name: 'Restreindre' }).click();
    return page.getByRole('dialog', { name: 'Restreindre « Caisse »' });
  };
  const dialog = await open();
  await dialog.getByLabel('Envois').check();
  await dialog.getByLabel('Réseaux autorisés').fill('127.0.0.1\nnulle part');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.getByText('Réseau non reconnu').waitFor();
  await dialog.getByLabel('Réseaux autorisés').fill('127.0.0.0/8');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Les restrictions sont enregistrées').waitFor();
  await eventually(async () => expect([await call('/shipping'), await call('/account')]).toEqual([200, 403]));

  await open();
  await dialog.getByLabel('Compte').check();
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await eventually(async () => expect(await call('/account')).toBe(200));
  await eventually(() =>
    expect(mailbox.sentTo(owner.email).map(({ subject }) => subject)).toContain(
      'Les restrictions d’une clé API ont été levées ou élargies',
    ),
  );
  await close();
});
