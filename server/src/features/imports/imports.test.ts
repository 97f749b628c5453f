import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { BAD_LINES, importFile, importLine } from '../../../test/import-file.ts';
import { longestTurnMs } from '../../../test/longest-turn.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { addCredit } from '../ledger/index.ts';
import { eraseImports } from './erase-imports.handler.ts';

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id, 'operations');
});
afterAll(() => server.stop());

const preview = async (lines: string[], who = member) =>
  (await who.call('previewImport', { body: { filename: 'envois.csv', text: importFile(lines) } })).body;
const read = async (id: string, who = member) => (await who.call('readImport', { params: { id } })).body.import;
const start = (id: string, who = member) => who.call('startImport', { params: { id } });
const work = () => withWorker(server, () => workDone(server));
const shipmentsOf = async (accountId: string) =>
  server.db.selectFrom('shipments').select('id').where('account_id', '=', accountId).execute();

describe('a preview', () => {
  test('checks each line like a creation, matches the columns, and creates nothing', async () => {
    const lines = [importLine('1'), ...BAD_LINES.map(([changes], i) => importLine(`bad-${i}`, changes))];
    const { import: previewed } = await preview(lines);
    expect(previewed).toMatchObject({
      state: 'previewed',
      lines: 8,
      good: 1,
      bad: 7,
      created: 0,
      amount: 8.5,
      missingFields: [],
      createdBy: 'Zoé Martin',
    });
    expect(previewed.columns[0]).toEqual({ header: 'Commande', field: 'externalReference.orderId' });
    expect(previewed.errors.map(({ line, field, rule }: Record<string, unknown>) => [line, field, rule])).toEqual(
      BAD_LINES.map(([, field, rule], i) => [i + 3, field, rule]),
    );
    expect(previewed.errors[1].value).toBe('pas-une-adresse');
    expect(previewed.sample).toEqual([expect.objectContaining({ line: 2, orderId: '1', weight: 2.5, price: 8.5 })]);
    expect(await shipmentsOf(shop.id)).toEqual([]);
  });

  test.each([
    ['EMPTY_IMPORT', 'Commande;Ville\r\n'],
    ['UNREADABLE_FILE', `Commande;Ville\r\n"${'x'.repeat(70_000)}`],
    ['UNREADABLE_FILE', `Commande${';x'.repeat(1_000)}\r\n${'a\r\n'.repeat(10)}`],
    ['TOO_MANY_LINES', `Commande;Ville\r\n${'a;b\r\n'.repeat(5_001)}`],
  ])('%s is refused by name', async (slug, text) => {
    const { status, body } = await member.call('previewImport', { body: { filename: 'x.csv', text } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, error: slug });
  });

  test('lists the required columns that are missing', async () => {
    const { body } = await member.call('previewImport', {
      body: { filename: 'x.csv', text: 'Ville;Inconnu\r\nParis;?' },
    });
    expect(body.import.missingFields).toContain('deliveryAddress.street');
    expect(body.import.columns[1]).toEqual({ header: 'Inconnu', field: null });
    expect(body.import).toMatchObject({ good: 0, bad: 1 });
    expect((await start(body.import.id)).body).toMatchObject({ error: 'NOTHING_TO_IMPORT' });
  });

  test('a blocked account is refused before the file is read', async () => {
    const blocked = await server.createAccount({ contractSigned: false });
    const { error } = await preview([importLine('1')], await createTestMember(server, blocked.id));
    expect(error).toBe('CONTRACT_SIGNATURE_REQUIRED');
  });

  test('markup and formulas are kept as data, and formulas are escaped in the error file', async () => {
    const script = '<script>alert(1)</script>';
    const lines = [importLine('1', { Notes: script }), importLine('2', { Destinataire: '=1+1', 'Poids (kg)': '' })];
    const { import: previewed } = await preview(lines);
    const { body: text } = await member.call('importErrors', { params: { id: previewed.id } });
    expect(text).toContain(";'=1+1;");
    expect(text).toContain('Poids (kg) : Champ obligatoire.');
    expect(text).not.toContain(script);
    const again = await member.call('previewImport', { body: { filename: 'x.csv', text } });
    expect(again.body.import).toMatchObject({ lines: 1, missingFields: [] });
  });

  test('its error file is in the member’s language, with the file’s own column titles', async () => {
    const reader = await createTestMember(server, shop.id, 'operations', { language: 'en' });
    const lines = BAD_LINES.map(([changes], i) => importLine(`bad-${i}`, changes));
    const { import: previewed } = await preview(lines, reader);
    const fileFor = async (who: TestMember) =>
      String((await who.call('importErrors', { params: { id: previewed.id } })).body).split('\r\n');
    const [english, french] = [await fileFor(reader), await fileFor(member)];
    expect(english[0]).toMatch(/;Error$/);
    expect(english[2]).toMatch(/;E-mail: Invalid format\.$/);
    expect(french[0]).toMatch(/;Erreur$/);
    expect(french[2]).toMatch(/;E-mail : Doit être une adresse e-mail valide\.$/);
    const sentences = previewed.errors.map(({ message }: { message: string }) => message);
    expect(sentences).toHaveLength(BAD_LINES.length);
    for (const [i, sentence] of sentences.entries()) {
      expect(french[i + 1]).toContain(sentence);
      expect(english[i + 1]).not.toContain(sentence);
      expect(english[i + 1]).not.toContain('Rejected: check this value.');
    }
  });

  test('its error file names a missing column as in the template', async () => {
    const reader = await createTestMember(server, shop.id, 'operations', { language: 'en' });
    const text = 'Town;Unknown\r\nParis;?';
    const { body } = await reader.call('previewImport', { body: { filename: 'x.csv', text } });
    const { body: file } = await reader.call('importErrors', { params: { id: body.import.id } });
    expect(file).toContain('Recipient: Required. Address: Required.');
  });
});

test.each([
  [
    '5 MB of shipments',
    () => importFile(Array.from({ length: 5_000 }, (_, i) => importLine(`${i}`, { Notes: 'x'.repeat(900) }))),
  ],
  ['8 MB of blank lines', () => `Commande;Ville\r\n${'\r\n'.repeat(2_000_000)}`],
  ['8 MB of separators', () => `Commande;Ville\r\n${`${';'.repeat(60_000)}\r\n`.repeat(130)}`],
])('a preview of %s does not block other requests', async (_what, text) => {
  const body = { filename: 'x.csv', text: text() };
  expect(await longestTurnMs(() => member.call('previewImport', { body }))).toBeLessThan(timeLimitMs(250));
});

describe('previews that nobody starts', () => {
  test('are limited to the latest ten of an account; started imports stay', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const own = await createTestMember(server, account.id, 'operations');
    const ids: string[] = [];
    for (let i = 0; i < 13; i++) {
      const { id } = (await preview([importLine(String(i))], own)).import;
      ids.push(id);
      if (i === 0) await start(id, own);
      if (i === 1) await own.call('cancelImport', { params: { id } }); // its lines are kept for a while too
    }
    const kept = [ids[0], ...ids.slice(3)];
    const { body } = await own.call('listImports');
    expect(body.imports.map(({ id }: { id: string }) => id)).toEqual(kept.toReversed());
    const lines = await server.db
      .selectFrom('import_lines')
      .select('import_id')
      .where('account_id', '=', account.id)
      .execute();
    expect(lines.map(({ import_id: id }) => id).toSorted()).toEqual(kept.map(String).toSorted());
    expect((await own.call('readImport', { params: { id: ids[1] ?? '' } })).status).toBe(404);
    expect((await own.call('startImport', { params: { id: ids[2] ?? '' } })).status).toBe(404);
  });

  test('are read one at a time; requests beyond the queue limit get a 429', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const own = await createTestMember(server, account.id, 'operations');
    const text = importFile(Array.from({ length: 1_000 }, (_, i) => importLine(String(i))));
    const send = (who: TestMember) => who.call('previewImport', { body: { filename: 'x.csv', text } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(own)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 201 && status !== 429)).toEqual([]);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ success: false, window: 'minute' });
    expect((await send(own)).status).toBe(201);
  });
});

describe('an import', () => {
  test('stops charging when the balance is used up, and reports it line by line', async () => {
    const poor = await server.createAccount();
    await addCredit(server.db, poor.id, 2_000, null); // two parcels of 8.50
    const clerk = await createTestMember(server, poor.id, 'operations');
    const { import: previewed } = await preview(
      ['a', 'b', 'c'].map((order) => importLine(order)),
      clerk,
    );
    expect(previewed).toMatchObject({ good: 3, amount: 25.5, balance: 20 });
    await start(previewed.id, clerk);
    await work();
    const done = await read(previewed.id, clerk);
    expect(done).toMatchObject({ state: 'done', created: 2, failed: 1, balance: 3 });
    expect(done.errors).toEqual([expect.objectContaining({ line: 4, field: null, rule: 'INSUFFICIENT_BALANCE' })]);
    const print = async (who: TestMember, part: number) =>
      (await who.call('printLabels', { body: { importId: previewed.id, part } })).status;
    expect([await print(clerk, 1), await print(clerk, 2), await print(member, 1)]).toEqual([200, 404, 404]);
    expect(
      (
        await preview(
          ['a', 'b', 'c'].map((order) => importLine(order)),
          clerk,
        )
      ).import.sameFileAs,
    ).toMatchObject({
      id: previewed.id,
    });
  });

  test('that is cancelled creates nothing more, and cannot be started again', async () => {
    const before = (await shipmentsOf(shop.id)).length;
    const { import: previewed } = await preview([importLine('stopped')]);
    await start(previewed.id);
    expect((await member.call('cancelImport', { params: { id: previewed.id } })).body.import.state).toBe('cancelled');
    await work();
    expect(await shipmentsOf(shop.id)).toHaveLength(before);
    expect((await start(previewed.id)).body).toMatchObject({ error: 'IMPORT_OVER' });
  });

  test('is invisible to other accounts, and read-only members cannot start one', async () => {
    const { import: previewed } = await preview([importLine('mine')]);
    const other = await server.createAccount({ paymentMode: 'deferred' });
    const stranger = await createTestMember(server, other.id);
    const params = { id: previewed.id };
    for (const name of ['readImport', 'startImport', 'cancelImport', 'importErrors'] as const) {
      expect((await stranger.call(name, { params })).status).toBe(404);
    }
    expect((await stranger.call('listImports')).body.imports).toEqual([]);
    const watcher = await createTestMember(server, shop.id, 'read-only');
    expect((await start(previewed.id, watcher)).body).toMatchObject({ error: 'ROLE_NOT_ALLOWED', needs: 'ship' });
    expect((await watcher.call('readImport', { params })).status).toBe(200);
  });

  test('is listed newest first, page by page', async () => {
    const { imports, nextCursor } = (await member.call('listImports', { query: { limit: 2 } })).body;
    expect(imports).toHaveLength(2);
    const { imports: older } = (await member.call('listImports', { query: { limit: 100, cursor: nextCursor } })).body;
    const times: string[] = [...imports, ...older].map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('loses its lines after 30 days, or after one day if it was never started; counts stay', async () => {
    const { import: previewed } = await preview([importLine('old')]);
    await eraseImports(server.db, new Date(Date.now() + 2 * 86_400_000));
    expect(await read(previewed.id)).toMatchObject({ state: 'cancelled', lines: 1, sample: [], errors: [] });
    const { rows } = await sql`select 1 from import_lines where import_id = ${previewed.id}`.execute(server.db);
    expect(rows).toEqual([]);
  });
});
