import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { eventually } from '../../server/test/eventually.ts';
import { isStored, openStage, overHttp, reaches, type Stage, signIn } from './stage.ts';
import { startVersions, type Versions } from './versions.ts';

let stage: Stage;
let versions: Versions;
beforeAll(async () => {
  stage = await openStage();
  versions = await startVersions(stage.server.url);
});
afterAll(async () => {
  await stage?.stop();
  await versions?.stop();
});

const versionOf = (page: Page) => page.locator('meta[name=test-version]').getAttribute('content');
const bannerOf = (page: Page) => page.getByText(fr.app.newVersion);
/** Survives everything except a reload. */
const mark = (page: Page) => page.evaluate('void (window.isMarked = true)');
const isMarked = (page: Page) => page.evaluate('window.isMarked === true');

/** Releases a version, and waits until this phone has stored it. The app looks for one every half an hour. */
async function release(page: Page): Promise<void> {
  versions.release();
  await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())');
  const waiting = 'navigator.serviceWorker.getRegistration().then((found) => found.waiting?.state)';
  await eventually(async () => expect(await page.evaluate(waiting)).toBe('installed'));
}

describe('a new version of the app', () => {
  test('is not mentioned during a delivery and reloads nothing there, is offered afterwards, and installed on a touch', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.open();
    await page.goto(`${versions.url}/driver/`);
    await signIn(page, driver);
    await isStored(page);
    expect(await versionOf(page)).toBe('1');
    const { id } = await stage.assign(driver);
    const send = overHttp(stage.server.url, driver);
    await send('pickUp', { id });
    await send('depart', { id });
    await page.reload(); // the commands above came from another phone
    await page.getByRole('link', { name: /Camille Durand/ }).click();
    await page.getByRole('button', { name: fr.stop.deliver }).click();
    await page.keyboard.type('123');
    await page.getByLabel(fr.code.digits(3)).waitFor();
    await mark(page);

    await release(page);
    expect(await bannerOf(page).count()).toBe(0);
    const second = await context.newPage();
    await second.goto(`${versions.url}/driver/`);
    await bannerOf(second).waitFor();
    expect(await versionOf(second)).toBe('1'); // stored, not used before the driver asks for it

    await second.getByRole('button', { name: fr.app.newVersionInstall }).click();
    await eventually(async () => expect(await versionOf(second)).toBe('2'));
    expect(await isMarked(page)).toBe(true);
    await page.getByLabel(fr.code.digits(3)).waitFor(); // the code that the recipient is dictating
    await page.getByRole('link', { name: fr.code.noCode }).click();
    await page.getByText(fr.problem.what).waitFor(); // a page of the version before, loaded only now
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await bannerOf(page).waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.getByRole('button', { name: fr.app.newVersionInstall }).click();
    await eventually(async () => expect(await versionOf(page)).toBe('2'));
    expect(await bannerOf(page).count()).toBe(0);
    await close();
  });

  test('is installed on the first touch, on the day the app was installed too, and keeps what waits in the outbox', async () => {
    const driver = await stage.driver();
    const { context, page, close } = await stage.open();
    await page.goto(`${versions.url}/driver/`);
    await signIn(page, driver);
    await isStored(page);
    const before = Number(await versionOf(page));
    const { id } = await stage.assign(driver);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).waitFor();
    await release(page);
    await context.setOffline(true);
    await page.getByRole('link', { name: new RegExp(fr.stop.pickup) }).click();
    await page.getByRole('button', { name: fr.stop.pickUp }).click();
    await page.getByRole('button', { name: fr.stop.depart }).waitFor();
    await page.getByRole('link', { name: fr.app.back }).click();
    await page.getByRole('button', { name: fr.app.newVersionInstall }).click(); // also without network
    await eventually(async () => expect(await versionOf(page)).toBe(String(before + 1)));
    await page.locator('.tag', { hasText: fr.home.waitingToSend }).first().waitFor();
    await context.setOffline(false);
    await reaches(stage.server, id, 'picked_up');
    expect(await page.evaluate('caches.keys().then(({ length }) => length)')).toBe(1);
    await close();
  });
});
