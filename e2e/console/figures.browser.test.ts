import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastDays } from '../../server/src/calendar/local-calendar.ts';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { createTestDriver } from '../../server/test/driver-app.ts';
import { addSampleFigures } from '../../server/test/fill-figures.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let stage: ConsoleStage;
let accountant: TestStaff;
beforeAll(async () => {
  stage = await openConsoleStage();
  const { server } = stage;
  accountant = await createTestStaff(server, 'accountant', { name: 'Yanis Cohen' });
  const shop = await server.createAccount({ name: 'Fleurs & Fils' });
  const driver = await createTestDriver(server.db, { firstName: 'Karim' });
  const { timeZone } = server.config;
  const days = lastDays(10, timeZone, new Date()).slice(0, 9); // not today: the clock may be before the first run
  const company = { accountIds: [shop.id], driverIds: [driver.id], zones: ['75011', '93100'], days, timeZone };
  await addSampleFigures(server.db, { ...company, now: new Date() });
});
afterAll(() => stage?.stop());

test('an accountant opens the figures, changes period and dimension, reads the table and downloads it', async () => {
  const { page, seen, close } = await stage.open('/', accountant);
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Chiffres' }).click();
  await page.getByRole('heading', { name: 'Chiffres par heure' }).waitFor(); // today
  const table = page.getByRole('region', { name: /^Chiffres par/ }).getByRole('table');

  await page.getByText('7 jours', { exact: true }).click();
  await page.getByRole('heading', { name: 'Chiffres par jour' }).waitFor();
  await expect.poll(() => table.getByRole('rowheader').count(), { timeout: 240_000 }).toBe(7);
  expect(page.url()).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);

  await page.getByText('Zone', { exact: true }).click();
  await table.getByRole('rowheader', { name: '75011 Paris' }).waitFor();
  await page.getByText('Livreur', { exact: true }).click();
  const row = table.getByRole('row').filter({ hasText: 'Karim' });
  await row.getByRole('cell').nth(8).waitFor();
  const cells = await row.getByRole('cell').allTextContents();
  expect(cells).toHaveLength(9);
  expect(cells[1]).toMatch(/^\d+(,\d)?\s%$/);
  expect(cells[2]).toMatch(/^\d+\smin · \d+\smin$/);
  expect(cells[8]).toMatch(/^\d,\d\d\s€$/);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Télécharger en CSV : Chiffres par livreur' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^navette-driver-.*\.csv$/);
  const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(header).toMatch(/^\uFEFFLivreur;Identifiant;Livrés;.*;Rémunération \(EUR\)$/);
  expect(line).toMatch(/^Karim Leroy;/);
  expect(line?.split(';')[2]).toBe(cells[0]?.replaceAll(/\s/g, ''));

  await page.getByRole('link', { name: /Karim/ }).click();
  await page.getByRole('heading', { name: /Karim/ }).waitFor();
  expect(seen.complaints).toEqual([]);
  await close();
});

test('a date that is typed applies when its year is complete, and the end moves with it', async () => {
  const { page, seen, close } = await stage.open('/figures', accountant);
  const from = page.getByLabel('Du');
  await from.focus();
  seen.requests.length = 0;
  await page.keyboard.type('03032025', { delay: 20 }); // the same in every order of day and month
  await page.waitForURL(/from=2025-03-03/);
  await page.getByRole('heading', { name: /^Chiffres par/ }).waitFor();
  expect(await from.inputValue()).toBe('2025-03-03');
  const to = new URL(page.url()).searchParams.get('to') ?? '';
  expect(Date.parse(to) - Date.parse('2025-03-03')).toBeLessThanOrEqual(365 * 86_400_000);
  expect(seen.requests.filter((url) => /from=0/.test(url))).toEqual([]);
  expect(seen.complaints).toEqual([]);
  await close();
});

test('a dispatcher sees the same page without amounts', async () => {
  const dispatcher = await createTestStaff(stage.server, 'dispatcher');
  const { page, seen, close } = await stage.open('/figures', dispatcher);
  await page.getByRole('columnheader', { name: /^À\sl’heure$/ }).waitFor();
  expect(await page.getByText(/Facturé|Rémunération/).count()).toBe(0);
  expect(seen.complaints).toEqual([]);
  await close();
});
