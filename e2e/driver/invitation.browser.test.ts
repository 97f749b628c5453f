import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { createTestDriver, overHttp } from '../../server/test/driver-app.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { factsOf, openStage, reaches, type Stage, ship, signIn } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ DISPATCH_OFFER_SECONDS: '120', DRIVER_PAY_BASE_CENTS: '450' });
});
afterAll(() => stage?.stop());

describe('an invited driver', () => {
  test('chooses a password by the link, sees the pay of an offer before accepting it, and finds it in the earnings', async () => {
    const driver = await createTestDriver(stage.server.db, { available: false });
    const invited = await runNavette(
      ['driver', 'invite', driver.id, '--by', 'link', '--json'],
      stage.server.environment,
    );
    const link = new URL(JSON.parse(invited.stdout).link);
    const { page, complaints, close } = await stage.open(`/welcome${link.hash}`);
    await page.getByRole('heading', { name: fr.session.welcome('Ana') }).waitFor();
    await page.getByLabel(fr.session.newPassword).fill('vélo cargo sous la pluie');
    await page.getByRole('button', { name: fr.session.start }).click();
    await page.getByRole('button', { name: fr.home.becomeAvailable }).click();
    await page.getByText(fr.home.positionSent).waitFor();

    const { _id: id } = await ship(stage.server, stage.shop);
    const offer = page.getByRole('dialog', { name: fr.offer.title });
    await offer.waitFor();
    expect((await offer.textContent())?.replaceAll(/\s/g, ' ')).toContain('4,50 €');
    await page.getByRole('button', { name: fr.offer.accept }).click();
    await reaches(stage.server, id, 'assigned');
    const { code } = await factsOf(stage.server, id);
    expect(await overHttp(stage.server.url, driver)('deliver', { id, deliveryCode: code })).toMatchObject({
      status: 200,
    });
    await page.goto(`${stage.server.url}/driver/earnings`);
    await page
      .getByText(/4,50\s€/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await close();

    const second = await stage.open(`/welcome${link.hash}`);
    await second.page.getByText(fr.session.linkGone).waitFor(); // a link works once
    await second.page.goto(`${stage.server.url}/driver/`);
    await signIn(second.page, driver);
    await second.close();
  });
});
