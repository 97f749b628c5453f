import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { overHttp } from '../../server/test/driver-app.ts';
import { timeLimitMs } from '../../server/test/time-limit.ts';
import { factsOf, isStored, openStage, reaches, type Stage, signIn, typeCode } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

describe('a surprise ends in a card that says what to do', () => {
  test('a wrong code that was typed without network', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.openAs(driver);
    const { id, referenceNumber } = await stage.assign(driver);
    const send = overHttp(stage.server.url, driver);
    await send('pickUp', { id });
    await send('depart', { id });
    await page.goto(`${stage.server.url}/driver/stop/${id}`);
    await page.getByRole('button', { name: fr.stop.deliver }).waitFor();
    await isStored(page);
    const { code } = await factsOf(stage.server, id);
    await context.setOffline(true);
    await page.getByRole('button', { name: fr.stop.deliver }).click();
    await typeCode(page, code === '123456' ? '654321' : '123456');
    await page.getByText(fr.stop.doneWaiting).waitFor();
    await context.setOffline(false);
    await page.goto(`${stage.server.url}/driver/`);
    await page.getByRole('heading', { name: `Code incorrect : colis ${referenceNumber}` }).waitFor();
    expect((await factsOf(stage.server, id)).status).toBe('in_transit');
    await page.getByRole('link', { name: fr.cards.retype }).click();
    await typeCode(page, code);
    await reaches(stage.server, id, 'delivered');
    await close();
  });

  test('a parcel that the merchant cancelled while the driver was offline', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.openAs(driver);
    const { id, referenceNumber } = await stage.assign(driver);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).waitFor();
    await isStored(page);
    await context.setOffline(true);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).click();
    await page.getByRole('button', { name: fr.stop.deliver }).waitFor();
    const { status } = await stage.server.call(stage.shop, 'PUT', `/shipping/${id}/cancel`, { body: {} });
    expect(status).toBe(200);
    await context.setOffline(false);
    await page.goto(`${stage.server.url}/driver/`);
    await page.getByRole('heading', { name: fr.cards.cancelled.title(referenceNumber) }).waitFor();
    expect(await page.getByText(fr.cards.cancelled.text).count()).toBe(1); // one card, not one for each step
    await page.getByRole('button', { name: fr.app.understood }).click();
    await page.getByText(fr.home.noStops).waitFor();
    expect((await factsOf(stage.server, id)).history).toEqual(['created', 'assigned', 'cancelled']);
    await close();
  });

  test.each([
    [10, fr.cards.clock.ahead(10)],
    [-10, fr.cards.clock.behind(10)],
  ])('a phone whose clock is wrong by %i minutes; its actions carry the right time', async (minutes, text) => {
    const driver = await stage.driver();
    const { page, close } = await stage.open();
    await page.clock.setSystemTime(Date.now() + minutes * 60_000);
    await page.reload();
    await signIn(page, driver);
    await page.getByText(text).waitFor();
    const { id } = await stage.assign(driver);
    const sending = page.waitForRequest(/\/pickup$/);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    const { doneAt } = (await sending).postDataJSON() as { doneAt: string };
    expect(Math.abs(Date.parse(doneAt) - Date.now())).toBeLessThan(timeLimitMs(15_000));
    await reaches(stage.server, id, 'picked_up');
    await close();
  });

  test('a session that was ended from elsewhere: what waits is kept, and sent after the next sign-in', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.openAs(driver);
    const { id } = await stage.assign(driver);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).waitFor();
    await isStored(page);
    await context.setOffline(true);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).waitFor();
    await overHttp(stage.server.url, driver)('endOtherSessions');
    await context.setOffline(false);
    await page.getByText('Une action attend').waitFor();
    await signIn(page, driver);
    await reaches(stage.server, id, 'picked_up');
    await close();
  });
});
