import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { importFile, importLine } from '../../../test/import-file.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function newMember(): Promise<{ accountId: string; member: TestMember }> {
  const { id } = await server.createAccount({ paymentMode: 'deferred' });
  return { accountId: id, member: await createTestMember(server, id, 'operations') };
}

async function startImport(member: TestMember, lines: string[]): Promise<void> {
  const { body } = await member.call('previewImport', { body: { filename: 'x.csv', text: importFile(lines) } });
  const { status } = await member.call('startImport', { params: { id: body.import.id } });
  expect(status).toBe(200);
}

async function importsDone(accountId: string): Promise<number> {
  const done = server.db.selectFrom('imports').where('account_id', '=', accountId).where('state', '=', 'done');
  return (await done.select('id').execute()).length;
}

test('imports of one account run one after the other, and another account’s does not wait for them', async () => {
  const [busy, quiet] = [await newMember(), await newMember()];
  for (let file = 0; file < 16; file++) {
    const lines = Array.from({ length: 20 }, (_, i) => importLine(`${file}-${i}`));
    await startImport(busy.member, lines);
  }
  await startImport(quiet.member, [importLine('1')]);
  await withWorker(server, async () => {
    const busyDone = await vi.waitFor(
      async () => {
        const before = await importsDone(busy.accountId);
        expect(await importsDone(quiet.accountId)).toBe(1);
        return before;
      },
      { timeout: 600_000 },
    );
    expect(busyDone).toBeLessThan(8);
    await vi.waitFor(async () => expect(await importsDone(busy.accountId)).toBe(16), { timeout: 240_000 });
  });
  const created = server.db.selectFrom('shipments').select('id').where('account_id', '=', busy.accountId);
  expect(await created.execute()).toHaveLength(320);
});
