import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DASHBOARD_BASE_PATH } from '@navette/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { openProofStore } from '../../server/src/adapters/files/open-file-store.ts';
import { readImage } from '../../server/src/features/proofs/image-file.ts';
import { createTestMember, type TestMember } from '../../server/test/dashboard.ts';
import { northOfPickup } from '../../server/test/dispatched.ts';
import { eventually } from '../../server/test/eventually.ts';
import { factsOf, openStage, overHttp, type Stage } from './stage.ts';

let stage: Stage;
let member: TestMember;
beforeAll(async () => {
  stage = await openStage();
  member = await createTestMember(stage.server, stage.shop.id);
});
afterAll(() => stage?.stop());

const SECRET = 'GPS 48.8566 2.3522';
/** A photo as a phone takes it: with the place in its metadata. */
function photo(): { name: string; mimeType: string; buffer: Buffer } {
  const jpeg = readFileSync(new URL('../../docs/images/driver-app/day.jpg', import.meta.url));
  const content = Buffer.from(`Exif\0\0${SECRET}`);
  const segment = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  const buffer = Buffer.concat([jpeg.subarray(0, 2), segment, content, jpeg.subarray(2)]);
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const detailOf = async (id: string) => (await member.call('readShipment', { params: { id } })).body;

/** Rows of the proof of a shipment, once there are this many, with the bytes of their files. */
async function storedProofs(id: string, count: number) {
  const { db, config } = stage.server;
  const rows = await eventually(async () => {
    const found = await db.selectFrom('proofs').selectAll().where('shipment_id', '=', id).orderBy('taken_at').execute();
    expect(found).toHaveLength(count);
    return found;
  });
  const store = openProofStore(config);
  return Promise.all(rows.map(async (row) => ({ ...row, file: (await store.read(row.file_name)) ?? Buffer.alloc(0) })));
}

/** A run on its way to the recipient, with its page open. */
async function openDelivery() {
  const driver = await stage.driver();
  const phone = await stage.openAs(driver);
  const { id } = await stage.assign(driver);
  const send = overHttp(stage.server.url, driver);
  await send('pickUp', { id });
  await send('depart', { id });
  await phone.page.reload(); // the commands above came from another phone
  await phone.page.getByText(fr.home.positionSent).waitFor(); // an incident reports the place
  await phone.page.getByRole('link', { name: /Camille Durand/ }).click();
  await phone.page.getByRole('button', { name: fr.stop.deliver }).waitFor();
  return { id, driver, ...phone };
}

async function sign(page: Page): Promise<void> {
  await page.waitForFunction('document.querySelector("canvas").width !== 300'); // prepared for drawing
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('no canvas');
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  for (const [x, y] of [
    [80, 90],
    [140, 40],
    [220, 100],
  ] as const)
    await page.mouse.move(box.x + x, box.y + y, { steps: 5 });
  await page.mouse.up();
}

describe('in the app', () => {
  test('a photo and a signature taken without network reach the store unchanged, and the merchant sees them', async () => {
    const { id, driver, context, page, complaints, close } = await openDelivery();
    await page.getByRole('link', { name: fr.stop.proof }).click();
    await context.setOffline(true);
    await page.locator('input[type=file]').setInputFiles(photo());
    await page.getByText(fr.proof.photoKept).waitFor();
    await page.getByText(fr.proof.relations.neighbour).click();
    await page.getByLabel(fr.proof.name).fill('Léa Petit');
    await sign(page);
    await page.getByRole('button', { name: fr.proof.save }).click();
    await page.getByText(fr.proof.signatureKept).waitFor();
    const sent: Buffer[] = [];
    context.on('response', (response) => {
      if (!response.url().endsWith(`/shippings/${id}/proofs`)) return;
      const { content } = response.request().postDataJSON() as { content: string };
      sent.push(readImage(Buffer.from(content, 'base64'))?.bytes ?? Buffer.alloc(0)); // without a colour profile
    });
    await context.setOffline(false);

    const rows = await storedProofs(id, 2);
    const common = { account_id: stage.shop.id, driver_id: driver.id };
    expect(rows).toMatchObject([
      { ...common, kind: 'photo', content_type: 'image/jpeg', signer_name: null },
      {
        ...common,
        kind: 'signature',
        content_type: 'image/png',
        signer_name: 'Léa Petit',
        signer_relation: 'neighbour',
      },
    ]);
    expect(rows.map(({ sha256 }) => sha256)).toEqual(rows.map(({ file }) => sha256(file)));
    await eventually(() => expect(sent.map(sha256).toSorted()).toEqual(rows.map(({ sha256 }) => sha256).toSorted()));
    expect(rows.some(({ file }) => file.includes(SECRET))).toBe(false);
    for (const { taken_at, received_at } of rows) expect(taken_at.getTime()).toBeLessThanOrEqual(received_at.getTime());

    const { proofs } = await detailOf(id);
    expect(proofs).toMatchObject(rows.map(({ id, kind, sha256 }) => ({ id, kind, sha256 })));
    for (const { id: proofId, content_type, file } of rows) {
      const address = `${stage.server.url}${DASHBOARD_BASE_PATH}/proofs/${proofId}`;
      const response = await fetch(address, { headers: { cookie: member.cookie } });
      expect(response.headers.get('content-type')).toBe(content_type);
      expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
    }
    expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
    await close();
  });

  test('an incident is stored with note, place and photo, leaves the status, and the merchant sees it', async () => {
    const { id, driver, page, close } = await openDelivery();
    await page.getByRole('link', { name: fr.stop.problem }).click();
    await page.getByText(fr.problem.kinds.recipient_absent).click();
    await page.getByLabel(fr.problem.note).fill('Sonné trois fois, volets fermés');
    await page.locator('input[type=file]').setInputFiles(photo());
    await page.getByAltText(fr.proof.photoKept).waitFor();
    await page.getByRole('button', { name: fr.problem.send }).click();
    await page.getByRole('heading', { name: fr.stop.incident(fr.problem.kinds.recipient_absent) }).waitFor();

    const row = await eventually(() =>
      stage.server.db.selectFrom('incidents').selectAll().where('shipment_id', '=', id).executeTakeFirstOrThrow(),
    );
    const { latitude, longitude } = northOfPickup(0.5); // where the phone is
    expect(row).toMatchObject({
      ...{ account_id: stage.shop.id, driver_id: driver.id, kind: 'recipient_absent', resolved_at: null },
      note: 'Sonné trois fois, volets fermés',
    });
    expect(Number(row.latitude)).toBeCloseTo(latitude, 4);
    expect(Number(row.longitude)).toBeCloseTo(longitude, 4);
    const [picture] = await storedProofs(id, 1);
    expect(picture?.sha256).toBe(sha256(picture?.file ?? Buffer.alloc(0)));
    expect((await factsOf(stage.server, id)).status).toBe('in_transit');

    const { incidents, proofs } = await detailOf(id);
    const { note, kind, happened_at } = row;
    expect(incidents).toMatchObject([
      { id: row.id, kind, note, happenedAt: happened_at.toISOString(), resolvedAt: null },
    ]);
    expect(proofs).toMatchObject([{ id: picture?.id, kind: 'photo', sha256: picture?.sha256 }]);
    await close();
  });
});
