import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { eventually } from '../../server/test/eventually.ts';
import { factsOf, isStored, openStage, PERMISSIONS, reaches, type Stage, typeCode } from './stage.ts';
import { controlWorker } from './worker-control.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

const COMMANDS = /\/driver\/api\/v1\/shippings\/[^/]+\/(pickup|depart|deliver)$/;

describe('without network', () => {
  test('from before the pickup to after the delivery, with the app closed in between: arrives once and in order', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.openAs(driver);
    const { id } = await stage.assign(driver);
    await page.getByRole('link', { name: /Camille Durand/ }).waitFor();
    await isStored(page);
    const { code } = await factsOf(stage.server, id);

    await context.setOffline(true);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).waitFor();
    await page.close();

    const again = await context.newPage();
    again.setDefaultTimeout(240_000);
    await again.goto(`${stage.server.url}/driver/`); // answered by the service worker
    await again.getByRole('status').getByText(fr.app.offline, { exact: true }).waitFor();
    await again.getByRole('link', { name: /Camille Durand/ }).click();
    await again.getByRole('button', { name: fr.stop.depart }).click();
    await again.getByRole('button', { name: fr.stop.deliver }).click();
    await typeCode(again, code);
    await again.getByText(fr.stop.doneWaiting).waitFor();
    await again.goto(`${stage.server.url}/driver/outbox`);
    const rows = again.locator('.waiting li strong');
    await rows.nth(2).waitFor();
    const { pickUp, depart, deliver } = fr.outbox.commands;
    expect(await rows.allInnerTexts()).toEqual([pickUp, depart, deliver]);
    expect((await factsOf(stage.server, id)).status).toBe('assigned');

    const sent: { path: string; commandId: string; doneAt: string }[] = [];
    // Answered requests: one that starts while the network comes back fails, and is repeated.
    context.on('response', (response) => {
      const [, path = ''] = COMMANDS.exec(response.url()) ?? [];
      if (path) sent.push({ path, ...(response.request().postDataJSON() as { commandId: string; doneAt: string }) });
    });
    await context.setOffline(false);
    await reaches(stage.server, id, 'delivered');
    await again.getByText(fr.outbox.empty).waitFor();
    const { history, wrongCodes, events } = await factsOf(stage.server, id);
    expect(history).toEqual(['created', 'assigned', 'picked_up', 'in_transit', 'delivered']);
    expect(events.filter((event) => event === 'shipping.delivered')).toHaveLength(1);
    expect(wrongCodes).toBe(0);
    expect(sent.map(({ path }) => path)).toEqual(['pickup', 'depart', 'deliver']);
    expect(new Set(sent.map(({ commandId }) => commandId)).size).toBe(3);
    expect(sent.map(({ doneAt }) => doneAt)).toEqual(sent.map(({ doneAt }) => doneAt).toSorted());
    await close();
  });

  test('the outbox is sent while the app is closed, as soon as the browser reports network', async () => {
    const driver = await stage.driver();
    const permissions = [...PERMISSIONS, 'background-sync'];
    const { context, page, close } = await stage.openAs(driver, { permissions });
    const { id } = await stage.assign(driver);
    await page.getByRole('link', { name: /Camille Durand/ }).waitFor();
    await isStored(page);
    const worker = await controlWorker(context, stage.server.url);
    await context.setOffline(true);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).click();
    await page.getByRole('button', { name: fr.stop.deliver }).waitFor();
    const tags = 'navigator.serviceWorker.ready.then(({ sync }) => sync.getTags())';
    await eventually(async () => expect(await page.evaluate(tags)).toEqual(['outbox']));
    await page.close();
    expect(context.pages().map((open) => open.url())).toEqual(['about:blank']);

    expect((await factsOf(stage.server, id)).status).toBe('assigned');
    await context.setOffline(false);
    await worker.sync('outbox');
    await reaches(stage.server, id, 'in_transit');
    expect((await factsOf(stage.server, id)).history).toEqual(['created', 'assigned', 'picked_up', 'in_transit']);
    const again = await context.newPage();
    again.setDefaultTimeout(240_000);
    await again.goto(`${stage.server.url}/driver/outbox`);
    await again.getByText(fr.outbox.empty).waitFor();
    await close();
  });

  test('a command whose answer is lost is sent again with the same id, and applied once', async () => {
    const driver = await stage.driver();
    const { page, close } = await stage.openAs(driver);
    const { id } = await stage.assign(driver);
    const ids: string[] = [];
    await page.route(/\/pickup$/, async (route) => {
      ids.push((route.request().postDataJSON() as { commandId: string }).commandId);
      if (ids.length > 1) return route.continue();
      await route.fetch(); // the server commits, and the connection breaks
      await route.abort('connectionreset');
    });
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).waitFor(); // the command is stored
    await page.goto(`${stage.server.url}/driver/outbox`);
    await page.getByText(fr.outbox.empty).waitFor();
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect((await factsOf(stage.server, id)).history).toEqual(['created', 'assigned', 'picked_up']);
    await close();
  });

  test('two tabs of the app never send the same command twice', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.openAs(driver);
    const { id } = await stage.assign(driver);
    const second = await context.newPage();
    second.setDefaultTimeout(240_000);
    await second.goto(`${stage.server.url}/driver/stop/${id}`);
    await second.getByRole('button', { name: fr.stop.pickUp }).waitFor();
    await isStored(second);
    await context.setOffline(true);
    await second.getByRole('button', { name: fr.stop.pickUp }).click();
    await second.getByRole('button', { name: fr.stop.depart }).waitFor();
    await page.locator('.tag', { hasText: fr.home.waitingToSend }).first().waitFor(); // the other tab shows it at once
    let sent = 0;
    // Answered requests: one that starts while the network comes back fails, and is repeated.
    context.on('response', (response) => {
      if (response.url().endsWith('/pickup')) sent++;
    });
    await context.setOffline(false);
    await reaches(stage.server, id, 'picked_up');
    await page.locator('.tag', { hasText: fr.home.waitingToSend }).first().waitFor({ state: 'detached' });
    expect(sent).toBe(1);
    await close();
  });
});
