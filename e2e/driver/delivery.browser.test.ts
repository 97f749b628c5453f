import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import en from '../../apps/driver/src/i18n/en.ts';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { factsOf, isStored, openStage, reaches, type Stage, ship, signIn, typeCode } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ DISPATCH_OFFER_SECONDS: '60' });
});
afterAll(() => stage?.stop());

describe.each([
  ['fr-FR', fr],
  ['en-GB', en],
] as const)('a delivery in %s', (locale, t) => {
  test('goes from the first start to the delivered parcel, with one large button for each step', async () => {
    const driver = await stage.driver();
    const { page, complaints, close } = await stage.open('/', { locale, settings: { isPrepared: false } });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const wrong = page.getByText(t.errors.WRONG_CREDENTIALS);
    await page.getByLabel(t.session.email).fill(driver.email);
    await page.getByLabel(t.session.password, { exact: true }).fill('not this one');
    await press(t.session.signIn);
    await wrong.waitFor();
    await signIn(page, driver);

    for (const step of ['location', 'notifications', 'camera'] as const) {
      await page.getByRole('heading', { name: t.start[step].title }).waitFor();
      await page.getByText(t.start.granted).waitFor();
      await press(t.start.next);
    }
    await page.getByRole('heading', { name: t.start.install.title }).waitFor();
    await press(t.start.finish);

    await page.getByText(t.home.unavailable, { exact: true }).waitFor();
    expect(await page.getByText(t.home.positionOff).count()).toBe(1);
    await press(t.home.becomeAvailable);
    await page.getByText(t.home.positionSent).waitFor();

    const { _id: id, referenceNumber } = await ship(stage.server, stage.shop, { notes: 'Code porte 12B' });
    const offer = page.getByRole('dialog', { name: t.offer.title });
    await offer.waitFor();
    expect(await offer.textContent()).toMatch(/75001 Paris/);
    expect(await offer.textContent()).not.toContain('Camille'); // several drivers see an offer
    await press(t.offer.accept);

    await page.getByRole('heading', { name: t.stop.pickup, exact: true }).waitFor();
    await page.getByText('Code porte 12B').waitFor();
    await press(t.stop.pickUp);
    await reaches(stage.server, id, 'picked_up');
    await press(t.stop.depart);
    await page.getByText('Camille Durand').waitFor();
    expect(await page.getByRole('link', { name: t.stop.call }).getAttribute('href')).toBe('tel:+33612345678');
    await reaches(stage.server, id, 'in_transit');
    await press(t.stop.deliver);

    const { code } = await factsOf(stage.server, id);
    await typeCode(page, code === '000000' ? '111111' : '000000');
    await page.getByText(t.code.attemptsLeft(4)).waitFor();
    await typeCode(page, code);
    await page.getByRole('heading', { name: t.stop.done }).waitFor();
    await reaches(stage.server, id, 'delivered');
    const { history, events } = await factsOf(stage.server, id);
    expect(history).toEqual(['created', 'assigned', 'picked_up', 'in_transit', 'delivered']);
    expect(events).toEqual(['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered']); // commands go over HTTP, so merchants get them

    await page.getByRole('link', { name: t.app.toStops }).click();
    await page.getByText(t.home.noStops).waitFor();
    expect(await page.getByText(referenceNumber).count()).toBe(0);
    await isStored(page);
    expect(complaints.filter((text) => !/responded with a status of 40[134]/.test(text))).toEqual([]);
    await close();
  });
});

test('a refused offer is not shown again, and a run can be given back before the pickup', async () => {
  const driver = await stage.driver();
  const { page, close } = await stage.openAs(driver);
  await page.getByRole('button', { name: fr.home.becomeAvailable }).click();
  await page.getByText(fr.home.positionSent).waitFor();
  const { _id: refused } = await ship(stage.server, stage.shop);
  await page.getByRole('button', { name: fr.offer.refuse }).click();
  await page.getByText(fr.home.noStops).waitFor();
  expect((await factsOf(stage.server, refused)).driver).toBeNull();

  const { id } = await stage.assign(driver);
  await page.getByRole('link', { name: /Camille Durand/ }).waitFor();
  await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
  await page.getByRole('link', { name: fr.stop.problem }).click();
  await page.getByRole('button', { name: fr.problem.giveBack }).click();
  await page.getByRole('button', { name: fr.problem.giveBackConfirm }).click();
  await page.getByText(fr.home.noStops).waitFor();
  await reaches(stage.server, id, 'created');
  await close();
});
