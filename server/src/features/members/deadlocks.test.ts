import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import {
  createTestMember,
  dashboardCaller,
  signInAs,
  TEST_PASSWORD,
  type TestMember,
} from '../../../test/dashboard.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createResetToken } from '../../identity/reset-password.ts';
import { purgeMemberLeftovers } from './purge-member-leftovers.handler.ts';

let stage: WebhookServer;
beforeAll(async () => {
  stage = await startWebhookServer();
});
afterAll(() => stage.stop());

test('concurrent changes of members, keys, webhooks and passwords of one account never deadlock with each other or a purge', async () => {
  const { server, receiver } = stage;
  const account = await server.createAccount({ rateLimits: { minute: 10_000, hour: 10_000, day: 10_000 } });
  const owners = await Promise.all(Array.from({ length: 4 }, () => createTestMember(server, account.id)));
  const workers = await Promise.all(Array.from({ length: 4 }, () => createTestMember(server, account.id, 'developer')));
  const victim = await createTestMember(server, account.id, 'developer');
  const pick = <T>(list: readonly T[], i: number) => list[i % list.length] as T;
  const webhook = (i: number) => ({ url: `${receiver.url}/${i}`, events: ['shipping.created'] });
  const made = (await owners[0]?.call('createWebhook', { body: webhook(0) }))?.body.webhook.id as string;

  const acts: ((i: number) => Promise<{ status: number } | undefined>)[] = [
    (i) => pick(owners, i).call('changeRole', { params: { id: pick(workers, i).id }, body: { role: 'operations' } }),
    (i) => pick(owners, i).call('changeRole', { params: { id: pick(workers, i + 1).id }, body: { role: 'developer' } }),
    (i) => pick(owners, i).call('inviteMember', { body: { email: `guest-${i % 7}@example.org`, role: 'read-only' } }),
    (i) => pick(workers, i).call('createKey', { body: { name: `Key ${i}`, scopes: ['read'] } }),
    (i) => pick(workers, i).call('updateProfile', { body: { name: `Name ${i}`, language: 'fr' } }),
    (i) => pick(owners, i).call('createWebhook', { body: webhook(i) }),
    (i) => server.call(account, 'PUT', `/webhooks/${made}`, { body: { isActive: i % 2 === 0 } }),
    (i) => server.call(account, 'POST', '/webhooks', { body: webhook(1_000 + i) }),
    async () => {
      const { keys } = (await pick(owners, 0).call('listKeys')).body;
      return pick(owners, 1).call('revokeKey', {
        params: { id: keys.findLast(({ name }: { name: string }) => name !== 'test')?.id ?? 'none' },
      });
    },
    async () => {
      const thief: Pick<TestMember, 'call'> | null = await signInAs(server.url, victim.email, TEST_PASSWORD).catch(
        () => null,
      );
      return thief?.call('changePassword', { body: { password: TEST_PASSWORD, newPassword: TEST_PASSWORD } });
    },
    async () => {
      const token = await createResetToken(server.db, MEMBERS, victim.id, new Date());
      return dashboardCaller(server.url)('resetPassword', { body: { token, password: TEST_PASSWORD } });
    },
    async () => {
      const expired = new Date(Date.now() - 40 * 86_400_000);
      await server.db
        .updateTable('member_sessions')
        .set({ expires_at: expired })
        .where('member_id', '=', victim.id)
        .execute();
      await purgeMemberLeftovers(server.db, new Date());
      return { status: 200 };
    },
  ];
  const answers = await crowd(10, Array.from({ length: 180 }), (_item, i) =>
    pick(acts, i)(Math.floor(i / acts.length)),
  );
  expect(answers.filter((answer) => (answer?.status ?? 200) >= 500)).toEqual([]);
  expect(answers.filter((answer) => (answer?.status ?? 0) < 300).length).toBeGreaterThan(90);
  expect(server.logged()).not.toContain('deadlock');
});
