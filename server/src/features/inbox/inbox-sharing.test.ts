import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

const CONSOLES = 20;

let server: TestServer;
let staff: TestStaff[];
beforeAll(async () => {
  server = await startTestServer({ INBOX_SHARED_MS: '10000' });
  staff = await Promise.all(Array.from({ length: CONSOLES }, () => createTestStaff(server)));
});
afterAll(() => server.stop());

/** The times at which the lists were read, one per console. */
async function readings(query: { fresh?: boolean } = {}): Promise<string[]> {
  const answers = await Promise.all(staff.map(({ call }) => call('listInbox', { query })));
  return answers.map(({ status, body }) => (status === 200 ? body.at : `${status}`));
}

test('consoles that ask within the interval share one reading; a change by staff, and a fresh request, end it', async () => {
  const first = await readings();
  const again = await readings();
  expect(new Set([...first, ...again]).size).toBe(1);

  const driver = await createTestDriver(server.db, { firstName: 'Ana' });
  const body = { number: null, expiresOn: new Date().toISOString().slice(0, 10), version: 0 };
  const params = { id: driver.id, kind: 'driving_licence' } as const;
  expect(await staff[0]?.call('setDriverDocument', { params, body })).toMatchObject({ status: 200 });
  const { body: inbox } = (await staff[1]?.call('listInbox')) ?? {};
  expect(inbox.entries).toMatchObject([{ kind: 'document_expiring', facts: { document: 'driving_licence' } }]);

  const { body: short } = (await staff[2]?.call('listInbox', { query: { limit: 1, fresh: true } })) ?? {};
  expect([short.entries.length, short.keys]).toEqual([1, inbox.entries.map(({ key }: { key: string }) => key)]);

  await server.db.deleteFrom('driver_documents').execute();
  expect((await staff[2]?.call('listInbox'))?.body.entries).toHaveLength(1);
  expect((await staff[2]?.call('listInbox', { query: { fresh: true } }))?.body.entries).toEqual([]);
  expect((await staff[3]?.call('listInbox'))?.body.entries).toEqual([]);
});
