import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResetLink } from '../../src/features/members/index.ts';
import { createTestMember, dashboardCaller, TEST_PASSWORD } from '../dashboard.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress } from './wire.ts';

const ROUNDS = 15;
const STOLEN = 'phrase que le voleur choisit';
const OWN = 'phrase que la victime choisit';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());

test('a reset wins against a concurrent change of password by an attacker', async () => {
  const guest: ReturnType<typeof dashboardCaller> = (name, request) =>
    dashboardCaller(server.url)(name, { ...request, headers: freshAddress() } as never);
  const opens = async (email: string, password: string) =>
    (await guest('signIn', { body: { email, password } })).status === 201;
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const victim = await createTestMember(server, account.id);
    const link = await createResetLink(server.db, account.id, victim.email, 'http://navette.test');
    const token = link?.split('#')[1] ?? '';
    // The attacker has an open session and knows the old password. Each round starts the two a little further apart.
    const change = victim.call('changePassword', { body: { password: TEST_PASSWORD, newPassword: STOLEN } });
    await new Promise((later) => setTimeout(later, round * 8));
    const reset = await guest('resetPassword', { body: { token, password: OWN } });
    const { status } = await change;
    outcomes.add(`${status}/${reset.status}`);
    // Either the reset is the last change, or the change came first and invalidated the link.
    expect([200, 410]).toContain(reset.status);
    expect([200, 400, 401, 403]).toContain(status);
    if (reset.status !== 200) continue;
    expect({ round, thief: await opens(victim.email, STOLEN) }).toEqual({ round, thief: false });
    expect(await opens(victim.email, OWN)).toBe(true);
    expect((await victim.call('readSession')).status).toBe(401);
  }
  expect(outcomes.size).toBeGreaterThan(0);
  expect(server.logged()).toBe(''); // no deadlock either
});
