import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { factsOf, ship, standAt } from '../../server/test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

let stage: ConsoleStage;
let shop: TestAccount;
let lea: TestStaff;
let yanis: TestStaff;
let drivers: TestDriver[];
beforeAll(async () => {
  // A search that found nobody stays so within a test.
  stage = await openConsoleStage({ DISPATCH_RETRY_SECONDS: '600' });
  const { server } = stage;
  shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  yanis = await createTestStaff(server, 'dispatcher', { name: 'Yanis Cohen' });
  drivers = [
    await createTestDriver(server.db, { firstName: 'Karim' }),
    await createTestDriver(server.db, { firstName: 'Inès' }),
  ];
});
afterAll(() => stage?.stop());

const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
const focusedRow = (page: Page, text: string) => row(page, text).and(page.locator(':focus'));

/** A parcel that no driver took. Drivers are too far away to be asked. */
async function unassigned(): Promise<{ id: string; reference: string }> {
  const { _id: id, referenceNumber: reference } = await ship(stage.server, shop);
  await eventually(async () => {
    const { body } = await lea.call('listInbox', { query: { kind: 'no_driver' } });
    expect(body.entries.map(({ subject }: { subject: { id: string } }) => subject.id)).toContain(id);
  });
  return { id, reference };
}

/** Keeps the list of a window as it is: refreshes wait until the returned function is called. */
async function holdRefreshes(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/console\/api\/inbox(\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe('two people at the inbox', () => {
  test('an entry taken in one window is seen in the other, and the second person reads who was first', async () => {
    const { reference } = await unassigned();
    const [first, second] = [await stage.open('/', lea), await stage.open('/', yanis)];
    await row(second.page, reference).waitFor();
    const release = await holdRefreshes(second.page);
    await row(first.page, reference).getByRole('button', { name: 'Je m’en occupe' }).click();
    await row(first.page, reference).getByText('Vous vous en occupez').waitFor();

    await row(second.page, reference).getByRole('button', { name: 'Je m’en occupe' }).click();
    const alert = row(second.page, reference).getByRole('alert');
    await alert.getByText(/^Léa Morel a été plus rapide \(à .*\)\s: entrée prise\./).waitFor();
    release();
    await row(second.page, reference).getByText('Léa Morel s’en occupe').waitFor();
    expect(first.seen.complaints).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  test('both assign one parcel at the same moment: one wins, the other reads by whom', async () => {
    const { id, reference } = await unassigned();
    for (const driver of drivers) await standAt(stage.server, driver, 40);
    const windows = [
      { name: 'Léa Morel', driver: 'Karim', ...(await stage.open('/', lea)) },
      { name: 'Yanis Cohen', driver: 'Inès', ...(await stage.open('/', yanis)) },
    ];
    for (const { page, driver } of windows) {
      await row(page, reference).getByRole('button', { name: 'Attribuer', exact: true }).click();
      await page.getByLabel('Nom du livreur').fill(driver);
      await page.getByRole('option').filter({ hasText: driver }).and(page.locator(':only-child')).click();
      await page.getByText(/avec une notification sur son téléphone/).waitFor();
      await page.getByText(/Attention\s: 40\skm/).waitFor();
    }
    const results = await Promise.all(
      windows.map(async ({ page, name }) => {
        await page.getByRole('button', { name: /^Attribuer à/ }).click();
        const won = page.getByText(new RegExp(`^${reference} est attribué à \\S+ Leroy\\.$`));
        const refused = page.getByRole('dialog').getByRole('alert');
        await won.or(refused).waitFor();
        return { name, refusal: (await refused.count()) > 0 ? await refused.textContent() : null };
      }),
    );
    const [winner, loser] = results.toSorted((a, b) => Number(a.refusal !== null) - Number(b.refusal !== null));
    expect(winner?.refusal).toBeNull();
    expect(loser?.refusal).toContain(`${winner?.name} a été plus rapide`);
    expect(loser?.refusal).toContain('envoi attribué');
    const { history } = await factsOf(stage.server, id);
    expect(history.filter((status) => status === 'assigned')).toHaveLength(1);
    for (const { page } of windows) await page.keyboard.press('Escape');
    for (const { page } of windows) await row(page, reference).getByText('N’est plus d’actualité').waitFor();
    await Promise.all(windows.map(({ close }) => close()));
  });
});

describe('a person with a keyboard only', () => {
  test('takes, snoozes, resolves with a note, reopens and assigns', async () => {
    const parcels = [await unassigned(), await unassigned(), await unassigned()];
    await standAt(stage.server, drivers[0] as TestDriver, 40);
    const [snoozed, resolved, assigned] = parcels.map(({ reference }) => reference) as [string, string, string];
    const { page, seen, close } = await stage.open('/?kind=no_driver', lea);
    const press = (key: string) => page.keyboard.press(key);
    const goTo = async (reference: string) => {
      const rows = await page.getByRole('listitem').allTextContents();
      for (let i = 0; !(rows[i - 1] ?? '').includes(reference); i++) {
        await press('j'); // one that comes before the last is shown would lead past the row
        await page.getByRole('listitem').nth(i).and(page.locator(':focus')).waitFor();
      }
    };
    await row(page, assigned).waitFor();
    await press('?');
    await page.getByRole('dialog').getByText('Entrée suivante').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await goTo(snoozed);
    await press('t');
    await row(page, snoozed).getByText('Vous vous en occupez').waitFor();
    await press('s');
    await page
      .getByRole('button', { name: /Dans une heure/ })
      .and(page.locator(':focus'))
      .waitFor();
    await press('Enter');
    await row(page, snoozed)
      .getByText(/^Reporté au/)
      .waitFor();
    await focusedRow(page, resolved).waitFor(); // the next one

    await press('e');
    await page.getByLabel('Note').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Le commerçant livre lui-même');
    await press('Tab');
    await press('Enter');
    await row(page, resolved).getByText('Réglé', { exact: true }).waitFor();
    await focusedRow(page, assigned).waitFor();

    await press('Enter');
    await page.getByLabel('Nom du livreur').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Karim');
    await page.getByRole('option').filter({ hasText: 'Karim' }).and(page.locator(':only-child')).waitFor();
    await press('Enter');
    await page.getByRole('button', { name: 'Attribuer à Karim Leroy' }).and(page.locator(':focus')).waitFor();
    await press('Enter');
    await page.getByText(`${assigned} est attribué à Karim Leroy.`).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Its fact has ended while it is selected: the row says so instead of moving.
    await row(page, assigned).getByText('N’est plus d’actualité').waitFor();
    await focusedRow(page, assigned).waitFor();
    expect(seen.complaints).toEqual([]);

    await page.goto(`${stage.server.url}/console/?list=resolved`);
    await row(page, resolved).getByText('Note : Le commerçant livre lui-même').waitFor();
    const reopen = row(page, resolved).getByRole('button', { name: 'Rouvrir' });
    await Promise.all([page.waitForResponse(/\/console\/api\/inbox\/./), reopen.press('Enter')]);
    await page.goto(`${stage.server.url}/console/`);
    await row(page, resolved).getByRole('button', { name: 'Attribuer', exact: true }).waitFor();
    await close();
  });
});

describe('an inbox of many entries', () => {
  test('shows the first thirty, and the others on request', async () => {
    const { db } = stage.server;
    const people = await Promise.all(Array.from({ length: 60 }, () => createTestDriver(db)));
    const paper = {
      kind: 'driving_licence',
      expires_on: '2026-01-31',
      changed_at: new Date(),
      changed_by: 'Léa Morel',
    };
    const papers = people.map(({ id }) => ({ ...paper, driver_id: id }));
    await db.insertInto('driver_documents').values(papers).execute();
    const { page, seen, close } = await stage.open('/?kind=document_expiring', lea);
    await page.getByText('60 entrées', { exact: true }).waitFor();
    const rows = page.getByRole('list', { name: 'À traiter' }).getByRole('listitem');
    expect(await rows.count()).toBe(30);
    await page.getByRole('button', { name: 'Afficher la suite : encore 30 entrées' }).click();
    await eventually(async () => expect(await rows.count()).toBe(60));
    expect(seen.complaints).toEqual([]);
    await close();
  });
});
