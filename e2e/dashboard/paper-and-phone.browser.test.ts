import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOfPages } from '../../server/test/pdf-tools.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { openStage, PHONE, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

async function openShop() {
  const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
  const { body } = await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  return {
    owner: await stage.member(shop.id),
    id: body.shipping._id as string,
    reference: body.shipping.referenceNumber,
  };
}

test('on paper, a page has its content without menu, header and buttons, and dark pages are printed in light colours', async () => {
  const { owner, id, reference } = await openShop();
  const { page, close } = await stage.open(`/shipments/${id}`, owner, { colorScheme: 'dark' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const text = (await textOfPages(await page.pdf())).join(' ');
  expect(text).toContain(reference);
  expect(text).not.toContain('Vue d’ensemble');
  expect(text).not.toContain('Dupliquer');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
  expect(await page.getByRole('navigation').count()).toBe(0);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await close();
});

test('on a phone, the first shipment is on the first screen, and the price stays in sight while a shipment is entered', async () => {
  const { owner, reference } = await openShop();
  const { page, close } = await stage.open('/shipments', owner, { viewport: PHONE });
  const card = page.locator('[data-id]').first();
  await card.waitFor();
  const { y = 0, height = 0 } = (await card.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(PHONE.height);
  expect(reference).toBeTruthy();
  await page.getByRole('button', { name: 'Autres actions' }).click();
  await page.getByRole('menuitem', { name: 'Importer' }).click();
  await page.waitForURL('**/shipments/import');

  await page.goto(`${stage.server.url}/dashboard/shipments/new`);
  const submit = page.getByRole('button', { name: /^Créer/ });
  await submit.waitFor();
  for (const top of [0, 600]) {
    await page.evaluate(`scrollTo(0, ${top})`);
    const box = await submit.boundingBox();
    expect(box && box.y + box.height).toBeLessThanOrEqual(PHONE.height);
  }
  expect(await page.getByRole('button', { name: 'English' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'English' }).waitFor();
  await close();
});
