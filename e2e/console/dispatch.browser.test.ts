import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { factsOf, ship, shipMany, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let stage: ConsoleStage;
let shop: TestAccount;
let lea: TestStaff;
let yanis: TestStaff;
let karim: TestDriver;
let ines: TestDriver;
beforeAll(async () => {
  // A search that found nobody stays so within a test. Drivers are too far away to be asked.
  stage = await openConsoleStage({ DISPATCH_RETRY_SECONDS: '600' });
  const { server } = stage;
  shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  yanis = await createTestStaff(server, 'dispatcher', { name: 'Yanis Cohen' });
  karim = await createTestDriver(server.db, { firstName: 'Karim' });
  ines = await createTestDriver(server.db, { firstName: 'Inès' });
});
beforeEach(async () => {
  for (const driver of [karim, ines]) await eventually(() => standAt(stage.server, driver, 40)); // forgotten after two minutes
});
afterEach(() => stage?.server.setNow(null));
afterAll(() => stage?.stop());

const parcel = async () => {
  const { _id: id, referenceNumber: reference } = await ship(stage.server, shop);
  return { id, reference };
};
const row = (page: Page, reference: string) => page.getByRole('row').filter({ hasText: reference });
const card = (page: Page, driver: string) =>
  page.getByRole('list', { name: 'Livreurs' }).getByRole('listitem').filter({ hasText: driver });
const activeRow = (page: Page, reference: string) => row(page, reference).and(page.locator('[data-active]'));

/** Time stands still for undoing: a slow machine must not let the ten seconds pass. */
async function holdUndo(page: Page): Promise<void> {
  stage.server.setNow(new Date());
  await page.route('**/dispatch/assignments', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, undoUntil: new Date(Date.now() + 3_600_000).toISOString() } });
  });
}

/** Scrolls from the top to the end of the list, which draws the visible rows only, and returns the shipments' ids in order. */
const READ_WHOLE_LIST = `(async () => {
  const box = document.getElementById('board-shipments');
  const rows = new Map();
  box.scrollTop = 0;
  for (let last = -1; box.scrollTop !== last; ) {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (const row of box.querySelectorAll('[aria-rowindex]'))
      rows.set(Number(row.ariaRowIndex), row.querySelector('a[href*="/shipments/"]')?.href.split('/').at(-1));
    last = box.scrollTop;
    box.scrollTop += 300;
  }
  return [...rows.keys()].sort((a, b) => a - b).map((index) => rows.get(index));
})()`;

/** Presses j until this row is the active one. */
async function moveTo(page: Page, reference: string): Promise<void> {
  await row(page, reference).waitFor();
  await eventually(async () => {
    if ((await activeRow(page, reference).count()) > 0) return;
    await page.keyboard.press('j');
    throw new Error(`${reference} is not active yet`);
  });
}

describe('two people at the board', () => {
  test('both assign one parcel at the same moment: one wins, the other reads by whom and what it is now', async () => {
    const { id, reference } = await parcel();
    const windows = [
      { name: 'Léa Morel', driver: 'Karim Leroy', ...(await stage.open('/dispatch', lea)) },
      { name: 'Yanis Cohen', driver: 'Inès Leroy', ...(await stage.open('/dispatch', yanis)) },
    ];
    for (const { page, driver } of windows) {
      await row(page, reference)
        .getByRole('button', { name: `Actions pour ${reference}` })
        .click();
      await page.getByRole('menuitem', { name: 'Attribuer…' }).click();
      await page.getByRole('option').filter({ hasText: driver }).click();
      await page.getByText(`pour ${driver}`).waitFor();
    }
    await Promise.all(
      windows.map(({ page, driver }) => page.getByRole('button', { name: `Attribuer 1 envoi à ${driver}` }).click()),
    );
    await Promise.all(
      windows.map(({ page }) =>
        page
          .getByRole('alert')
          .or(page.getByRole('status').getByRole('button', { name: 'Défaire' }))
          .first()
          .waitFor(),
      ),
    );
    const hasWon = await Promise.all(windows.map(async ({ page }) => (await page.getByRole('alert').count()) === 0));
    expect(hasWon.filter(Boolean)).toHaveLength(1);
    const [winner, loser] = hasWon[0] ? [windows[0], windows[1]] : [windows[1], windows[0]];
    await loser?.page
      .getByText(new RegExp(`${winner?.name} a été plus rapide.*Maintenant.*Attribué, ${winner?.driver}`))
      .waitFor();
    expect(await factsOf(stage.server, id)).toMatchObject({
      history: ['created', 'assigned'],
      driver: winner?.driver === 'Karim Leroy' ? karim.id : ines.id,
    });
    for (const { seen, close } of windows) {
      expect(seen.complaints).toEqual([]);
      await close();
    }
  });
});

describe('one person', () => {
  test('works with the keyboard only: selects, chooses a driver, reads, assigns, undoes', async () => {
    const parcels = [await parcel(), await parcel()];
    const [first, second] = parcels.map(({ reference }) => reference) as [string, string];
    const { page, seen, close } = await stage.open('/dispatch', lea);
    await holdUndo(page);
    await moveTo(page, first);
    await page.keyboard.press('x');
    await moveTo(page, second);
    await page.keyboard.press(' ');
    await page.getByText('2 envois choisis').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Nom du livreur' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Inès');
    await page.getByRole('option').filter({ hasText: 'Inès' }).and(page.locator('[data-active]')).waitFor();
    await page.getByRole('option').filter({ hasText: 'Karim' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    const submit = page.getByRole('button', { name: 'Attribuer 2 envois à Inès Leroy' });
    await submit.and(page.locator(':focus')).waitFor();
    await page.getByText('Loin de l’enlèvement').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 envois attribués à Inès Leroy').waitFor();
    await row(page, first).waitFor({ state: 'detached' });
    for (const { id } of parcels) expect((await factsOf(stage.server, id)).driver).toBe(ines.id);

    await page.keyboard.press('z');
    await page.getByText('2 attributions sont défaites.').waitFor();
    for (const reference of [first, second]) await row(page, reference).waitFor();
    for (const { id } of parcels)
      expect(await factsOf(stage.server, id)).toMatchObject({ status: 'created', driver: null });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).waitFor();
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('undoes with a second attempt when the first one did not reach the server', async () => {
    const { id, reference } = await parcel();
    const { page, close } = await stage.open('/dispatch', lea);
    await holdUndo(page);
    await row(page, reference).dragTo(card(page, 'Karim Leroy'));
    await page.getByRole('button', { name: 'Attribuer 1 envoi à Karim Leroy' }).click();
    await page.getByText('1 envoi attribué à Karim Leroy').waitFor();
    await page.route('**/dispatch/assignments/*/undo', (route) => route.abort(), { times: 1 });
    await page.keyboard.press('z');
    await page.getByText(/^Le serveur ne répond pas/).waitFor();
    expect((await factsOf(stage.server, id)).driver).toBe(karim.id);
    await page.keyboard.press('z');
    await page.getByText('L’attribution est défaite.').waitFor();
    await row(page, reference).waitFor();
    expect(await factsOf(stage.server, id)).toMatchObject({ status: 'created', driver: null });
    await close();
  });

  test('drags a parcel onto a driver: it moves only when the server has assigned it, and from there to another driver', async () => {
    const { id, reference } = await parcel();
    const { page, seen, close } = await stage.open('/dispatch', lea);
    await holdUndo(page);
    await row(page, reference).dragTo(card(page, 'Karim Leroy'));
    await page.getByText('pour Karim Leroy').waitFor();
    await row(page, reference).waitFor(); // nothing has moved yet
    expect((await factsOf(stage.server, id)).status).toBe('created');
    await page.getByRole('button', { name: 'Attribuer 1 envoi à Karim Leroy' }).click();
    const run = card(page, 'Karim Leroy').getByRole('link', { name: reference });
    await run.waitFor();
    await row(page, reference).waitFor({ state: 'detached' });

    await run.dragTo(card(page, 'Inès Leroy'));
    await page.getByText('passe de Karim Leroy à Inès Leroy').waitFor();
    await page.getByRole('button', { name: 'Attribuer 1 envoi à Inès Leroy' }).click();
    await card(page, 'Inès Leroy').getByRole('link', { name: reference }).waitFor();
    expect((await factsOf(stage.server, id)).driver).toBe(ines.id);

    // Undone, it returns to the driver before.
    await page.getByRole('button', { name: 'Défaire' }).click();
    await card(page, 'Karim Leroy').getByRole('link', { name: reference }).waitFor();
    expect((await factsOf(stage.server, id)).driver).toBe(karim.id);
    expect(seen.complaints).toEqual([]);
    await close();
  });
});

// The last one: its parcels fill the list.
describe('a list of several pages', () => {
  test('shows every parcel once while a page has grown beyond one response', async () => {
    const ids = await shipMany(stage.server, shop, 130);
    const { page, seen, close } = await stage.open('/dispatch', lea);
    await page.getByRole('row').nth(5).waitFor();
    const listed = () => page.evaluate<string[]>(READ_WHOLE_LIST);
    await eventually(async () => expect(await listed()).toEqual(expect.arrayContaining(ids)));
    // A response for a range holds 40 rows from now on: the first page, of 100, is split twice.
    const limited = /\/dispatch\/shipments\?.*until=/;
    await page.route(limited, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=40'),
      }),
    );
    await page.evaluate(`document.getElementById('board-shipments').scrollTop = 0`); // pages on the screen are read again
    await page.waitForResponse((response) => limited.test(response.url()));
    await eventually(async () => {
      const rows = await listed();
      expect(rows).toEqual(expect.arrayContaining(ids));
      expect(new Set(rows).size).toBe(rows.length);
      const ranges = seen.requests
        .filter((url) => limited.test(url))
        .map((url) => new URL(url).searchParams.get('until'));
      expect(new Set(ranges).size).toBeGreaterThan(2);
    });
    expect(seen.complaints).toEqual([]);
    await close();
  });
});
