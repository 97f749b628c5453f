import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBoss } from '../../server/src/jobs/boss.ts';
import { createRecurringJob } from '../../server/src/jobs/definitions.ts';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

describe('recurring shipments', () => {
  test('one is made from a shipment; its next ones are seen, one is skipped, it is paused, resumed and ended', async () => {
    const { server } = stage;
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    const { page, close } = await stage.open(
      `/shipments/${body.shipping._id}`,
      await stage.member(shop.id, 'operations'),
    );
    await page.getByRole('link', { name: 'Répéter' }).click();

    await page.getByRole('heading', { name: 'Nouvel envoi récurrent' }).waitFor();
    await eventually(async () => expect(await page.getByLabel('Nom *').inputValue()).toBe('Camille Durand'));
    const days = page.getByRole('group', { name: 'Jours' });
    for (const day of ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']) {
      if (!(await days.getByLabel(day).isChecked())) await days.getByText(day).click(); // one is chosen already
    }
    await page.getByRole('button', { name: 'Créer l’envoi récurrent' }).click();
    await page.getByText('Champ obligatoire').waitFor(); // the slot
    await page.getByText('Autre créneau').click();
    await page.getByLabel('Horaire souhaité').fill('10h-12h');
    await page.getByRole('button', { name: 'Créer l’envoi récurrent' }).dblclick();

    await page.getByText('Tous les jours').waitFor();
    const upcoming = page.getByRole('region', { name: 'Prochains envois' }).getByRole('listitem');
    await eventually(async () => expect(await upcoming.count()).toBe(10));

    const boss = await createBoss(server.config, server.app.log).start();
    await boss.send(createRecurringJob.name, {}); // now, and not at the next minute
    await boss.stop({ graceful: false });
    await page
      .getByRole('link', { name: /^Envoi / })
      .first()
      .waitFor({ timeout: 240_000 }); // created three days ahead
    const schedule = page.url();
    await page
      .getByRole('link', { name: /^Envoi / })
      .first()
      .click();
    await page.waitForURL('**/shipments/*');
    await page.getByRole('link', { name: 'Un envoi récurrent' }).click(); // and back to the schedule that created it
    await page.waitForURL(schedule);
    const last = upcoming.last();
    await last.getByRole('button', { name: /^Sauter/ }).click();
    await last.getByText('Sauté').waitFor();
    await last.getByRole('button', { name: /^Rétablir/ }).click();
    await last.getByText('Prévu').waitFor();
    await last.getByRole('button', { name: /^Sauter/ }).click();
    await last.getByText('Sauté').waitFor();

    await page.getByRole('button', { name: 'Mettre en pause' }).click();
    await page.getByText('En pause', { exact: true }).waitFor();
    await page.getByText('Rien n’est créé pendant la pause').waitFor();
    await page.getByRole('button', { name: 'Reprendre' }).click();
    await page.getByText('Actif', { exact: true }).waitFor();
    await last.getByText('Sauté').waitFor(); // the skip outlives the pause

    await page.getByRole('link', { name: 'Modifier' }).click();
    await days.getByText('dimanche').click();
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText(/^Chaque lundi, mardi, mercredi, jeudi, vendredi et samedi/).waitFor();

    await page.getByRole('button', { name: 'Arrêter' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Arrêter' }).click();
    await page.getByText('Terminé', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tous les envois récurrents' }).click();
    await page.getByRole('link', { name: 'Camille Durand, Paris' }).waitFor();
    const schedules = server.db.selectFrom('recurring_schedules').select('id').where('account_id', '=', shop.id);
    expect(await schedules.execute()).toHaveLength(1); // although the form was sent twice
    await close();
  });

  test('a merchant without balance sees which day is not created, why, and what to do; a reader may change nothing', async () => {
    const { server } = stage;
    const shop = await server.createAccount({ paymentMode: 'prepaid' });
    const clerk = await stage.member(shop.id, 'operations');
    const { recurring } = (
      await clerk.call('createRecurring', {
        headers: { 'x-idempotency-key': 'poor' },
        body: {
          weekdays: [1, 2, 3, 4, 5, 6, 7],
          timeSlot: '10h-12h',
          startsOn: '2026-01-01',
          shipment: shipmentRequest(),
        },
      })
    ).body;
    const boss = await createBoss(server.config, server.app.log).start();
    await boss.send(createRecurringJob.name, {});
    await boss.stop({ graceful: false });
    await eventually(async () =>
      expect(
        (await clerk.call('readRecurring', { params: { id: recurring.id } })).body.recurring.problem,
      ).toMatchObject({
        reason: 'INSUFFICIENT_BALANCE',
      }),
    );
    const { page, close } = await stage.open('/recurring', await stage.member(shop.id, 'read-only'));
    await page.getByText(/L’envoi du .* n’est pas encore créé/).waitFor();
    await page.getByText('rechargez le compte').first().waitFor();
    expect(await page.getByRole('link', { name: 'Nouvel envoi récurrent' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Camille Durand, Paris' }).click();
    await page.getByText('Pas encore créé').first().waitFor();
    expect(await page.getByRole('button', { name: /Sauter|pause|Arrêter/ }).count()).toBe(0);
    await close();
    const mail = await eventually(async () => {
      const found = stage.mailbox.mails.find(({ envelope }) => envelope.includes(clerk.email));
      expect(found).toBeDefined();
      return found;
    });
    expect(mail?.text).toContain(`/dashboard/recurring/${recurring.id}`);
  });
});
