import { DASHBOARD_ENDPOINTS, MAX_SAVED_VIEWS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let member: TestMember;
let colleague: TestMember;
let stranger: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  const [shop, other] = [await server.createAccount(), await server.createAccount()];
  [member, colleague, stranger] = await Promise.all([
    createTestMember(server, shop.id, 'read-only'),
    createTestMember(server, shop.id),
    createTestMember(server, other.id),
  ]);
});
afterAll(() => server.stop());

const save = (name: string, filters: unknown = { delivery: 'today' }, who = member) =>
  who.call('saveView', { body: { name, filters } });
const names = async (who = member) =>
  (await who.call('listSavedViews')).body.views.map(({ name }: { name: string }) => name);

describe('saved views', () => {
  test('are kept for the member alone, by name, and replaced by one of the same name', async () => {
    const filters = { delivery: 'tomorrow', status: 'created,assigned', order: 'earliest_delivery' };
    expect(await save('Demain', filters)).toMatchObject({ status: 201, body: { view: { name: 'Demain', filters } } });
    await save('Aujourd’hui');
    const { body } = await member.call('listSavedViews');
    expect(faultsIn(DASHBOARD_ENDPOINTS.listSavedViews, 200, body)).toEqual([]);
    expect(body.views).toMatchObject([{ name: 'Aujourd’hui' }, { name: 'Demain', filters }]);
    await save('Demain', { late: 'yes' });
    expect((await member.call('listSavedViews')).body.views).toMatchObject([{}, { filters: { late: 'yes' } }]);
    expect([await names(colleague), await names(stranger)]).toEqual([[], []]);
  });

  test('are deleted by their member only', async () => {
    const { id } = (await save('À supprimer')).body.view;
    for (const who of [colleague, stranger]) {
      expect((await who.call('deleteSavedView', { params: { id } })).status).toBe(404);
    }
    expect((await member.call('deleteSavedView', { params: { id: 'nonsense' } })).status).toBe(404);
    expect((await member.call('deleteSavedView', { params: { id } })).status).toBe(200);
    expect(await names()).not.toContain('À supprimer');
  });

  test('are refused with unknown filters or without a name', async () => {
    for (const [name, filters] of [
      ['x', { everything: true }],
      ['x', { delivery: 'yesterday' }],
      ['  ', {}],
      ['x'.repeat(61), {}],
    ] as const)
      expect((await save(name, filters)).status).toBe(400);
  });

  test('are limited in number, also when they are saved concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: MAX_SAVED_VIEWS + 5 }, (_, i) => save(`Vue ${i}`, {}, colleague)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_SAVED_VIEWS);
    expect(answers.filter(({ body }) => body.error === 'TOO_MANY_VIEWS')).toHaveLength(5);
    const [taken] = await names(colleague);
    expect((await save(taken, { late: 'yes' }, colleague)).status).toBe(201); // replaces one
  });

  test('go with their member', async () => {
    await save('Dernière', {}, stranger);
    await server.db.deleteFrom('members').where('id', '=', stranger.id).execute();
    const left = await server.db.selectFrom('saved_views').selectAll().where('member_id', '=', stranger.id).execute();
    expect(left).toEqual([]);
  });
});
