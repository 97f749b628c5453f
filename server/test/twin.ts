import { findOrCreateTwin, readAccount } from '../src/features/accounts/index.ts';
import { createKey } from '../src/features/api-keys/index.ts';
import { cookieOf, dashboardCaller, type TestMember } from './dashboard.ts';
import type { TestAccount, TestServer } from './test-server.ts';

/** The test twin of an account, with a key. */
export async function createTwin(
  { db }: Pick<TestServer, 'db'>,
  { id: liveId }: Pick<TestAccount, 'id'>,
): Promise<TestAccount> {
  const twin = await db.transaction().execute((tx) => findOrCreateTwin(tx, liveId));
  if (!twin) throw new Error('no open live account');
  const created = await createKey(db, twin.id, { name: 'test', scopes: ['read', 'write', 'delete'], expiresAt: null });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  const account = await readAccount(db, twin.id);
  return { id: twin.id, clientId: account?.clientId ?? '', key: created.key };
}

/** The member's session, switched to the given mode: its cookie and CSRF token are new. */
export async function switchMode(
  { url }: Pick<TestServer, 'url'>,
  member: TestMember,
  mode: 'live' | 'test',
): Promise<TestMember> {
  const { status, headers, body } = await member.call('switchMode', { body: { mode } });
  if (status !== 200) throw new Error(`switchMode answered ${status} ${JSON.stringify(body)}`);
  const session = { cookie: cookieOf(headers), csrfToken: String(body.csrfToken) };
  return { ...member, ...session, call: dashboardCaller(url, session) };
}
