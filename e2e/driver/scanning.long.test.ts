import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { signDeliveryQr, signReference } from '../../server/src/features/shipments/index.ts';
import { openWholeBrowser } from '../browser.ts';
import { filmCode128, filmPicture, filmQr } from './film.ts';
import { factsOf, isStored, openStage, overHttp, reaches, type Stage } from './stage.ts';

let stage: Stage;
const folder = mkdtempSync(join(tmpdir(), 'navette-film-'));
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage?.stop();
  rmSync(folder, { recursive: true });
});

/** A browser whose camera shows this film. */
function openCamera(film: string): Promise<Browser> {
  return openWholeBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
}

describe('the camera', () => {
  test.each([
    ['the QR code', filmQr],
    ['the bar code', filmCode128],
  ])('reads %s of a label and opens its run', async (name, film) => {
    const driver = await stage.driver();
    const { id, referenceNumber } = await stage.assign(driver);
    const file = join(folder, `${name}.y4m`);
    film(file, referenceNumber);
    const browser = await openCamera(file);
    const { page, complaints } = await stage.openAs(driver, { browser });
    await page.getByRole('link', { name: fr.home.scan }).click();
    if (film === filmCode128) await page.getByRole('button', { name: fr.scan.barcode }).click();
    await page.getByRole('heading', { name: fr.stop.pickup, exact: true }).waitFor();
    expect(page.url()).toContain(id);
    expect(complaints).toEqual([]); // WebAssembly is compiled under the page's policy
    await browser.close();
  });

  /** The recipient's real page, as the driver's camera sees it. */
  async function filmRecipientPage(film: string, referenceNumber: string): Promise<void> {
    const token = signReference(stage.server.config.linkSecrets, 'track', referenceNumber);
    const page = await stage.browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${stage.server.url}/t/${token}`);
    await page.locator('summary').click();
    await filmPicture(film, await page.locator('svg.qr').screenshot(), stage.browser);
    await page.close();
  }
  const sign = (reference: string, { secrets = stage.server.config.linkSecrets, at = new Date() } = {}) =>
    signDeliveryQr(secrets, reference, at);
  const DAY_MS = 86_400_000;

  test.each([
    ['the recipient’s page', filmRecipientPage, fr.stop.doneWaiting],
    [
      'a forged code',
      async (film: string, reference: string) =>
        filmQr(film, sign(reference, { secrets: ['of a stranger'.repeat(3)] })),
      fr.scan.forged,
    ],
    [
      'an expired code',
      async (film: string, reference: string) =>
        filmQr(film, sign(reference, { at: new Date(Date.now() - 3 * DAY_MS) })),
      fr.scan.expired,
    ],
    ['another parcel’s code', async (film: string) => filmQr(film, sign('AAAAAAAAAA')), fr.scan.other_parcel],
  ])('judges %s without network, with the keys that the server serves', async (_name, record, text) => {
    const driver = await stage.driver();
    const { id, referenceNumber } = await stage.assign(driver);
    const send = overHttp(stage.server.url, driver);
    await send('pickUp', { id });
    await send('depart', { id });
    const film = join(folder, `${id}.y4m`);
    await record(film, referenceNumber);
    const browser = await openCamera(film);
    const { context, page } = await stage.openAs(driver, { browser });
    await page.goto(`${stage.server.url}/driver/stop/${id}`);
    await page.getByRole('button', { name: fr.stop.deliver }).waitFor();
    await isStored(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: fr.stop.deliver }).click();
    await page.getByRole('link', { name: fr.code.scan }).click();
    await page.getByText(text).waitFor();
    expect((await factsOf(stage.server, id)).status).toBe('in_transit');
    await context.setOffline(false);
    if (record === filmRecipientPage) await reaches(stage.server, id, 'delivered'); // the server verifies it again
    await browser.close();
  });
});
