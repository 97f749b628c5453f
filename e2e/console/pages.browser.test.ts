import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { factsOf, ship, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let stage: ConsoleStage;
let admin: TestStaff;
beforeAll(async () => {
  // A search that found nobody stays so within a test.
  stage = await openConsoleStage({ DISPATCH_RETRY_SECONDS: '600' });
  admin = await createTestStaff(stage.server, 'admin', { name: 'Zoé Martin' });
});
afterAll(() => stage?.stop());

test('from a search by keyboard to the shipment, an assignment, the merchant with a credit, and the driver', async () => {
  const { server } = stage;
  const shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  const driver = await createTestDriver(server.db, { firstName: 'Karim' });
  await standAt(server, driver, 40);
  const { _id: id, referenceNumber } = await ship(server, shop, { externalReference: { orderId: 'CMD-77' } });
  await eventually(async () => {
    const { body } = await admin.call('searchConsole', { body: { text: 'cmd-77' } });
    expect(body.results).toHaveLength(1);
  });

  const { page, seen, close } = await stage.open('/', admin);
  await page.getByRole('heading', { name: 'À traiter' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').and(page.locator(':focus')).fill('cmd-77');
  await page.getByRole('option').filter({ hasText: referenceNumber }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Envoi ${referenceNumber}` }).waitFor();
  await page.getByText(/^Facturé au commerçant/).waitFor();

  await page.getByRole('button', { name: 'Attribuer', exact: true }).click();
  await page.getByRole('option').filter({ hasText: 'Karim' }).click();
  await page.getByRole('button', { name: 'Attribuer à Karim Leroy' }).click();
  await page.getByText(`${referenceNumber} est attribué à Karim Leroy.`).waitFor();
  await page.getByText('Attribué à Karim Leroy par l’équipe').waitFor();
  await page.getByText('par Zoé Martin').waitFor();
  expect(await factsOf(server, id)).toMatchObject({ status: 'assigned', driver: driver.id });

  await page.getByRole('link', { name: 'Fleurs & Fils' }).click();
  await page.getByRole('button', { name: 'Créditer le compte' }).click();
  await page.getByLabel('Motif').fill('Geste commercial');
  await page.getByLabel('Montant').fill('12,50');
  await page.getByLabel('Montant').press('Enter'); // while the field still holds what was typed
  await page.getByText(/^Fleurs & Fils est crédité de 12,50/).waitFor();
  await page.getByRole('cell', { name: /Geste commercial/ }).waitFor();

  await page.goBack();
  await page.getByRole('link', { name: 'Karim Leroy' }).click();
  await page.getByRole('heading', { name: 'Karim Leroy' }).waitFor();
  await page.getByRole('link', { name: referenceNumber }).waitFor();
  expect(seen.complaints).toEqual([]);
  await close();
});
