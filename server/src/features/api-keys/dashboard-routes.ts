import { type DashboardKey, MAX_ACTIVE_KEYS_PER_ACCOUNT, type Scope } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound, refuseDashboard } from '../../http/dashboard-refusal.ts';
import { createKey, findKey, type KeyRecord, listKeys, revokeKey } from './manage-keys.ts';

export interface DashboardKeysOptions {
  db: Database;
  now: () => Date;
}

export function serveKeysToDashboard(app: FastifyInstance, { db, now }: DashboardKeysOptions): void {
  bindDashboard(app, 'listKeys', async ({ member, answer }) => {
    const keys = (await listKeys(db, member.accountId, now())).map((key) => present(key, now()));
    const active = keys.filter(({ state }) => state === 'active').length;
    return answer(200, { success: true, keys, active, mostActive: MAX_ACTIVE_KEYS_PER_ACCOUNT });
  });

  bindDashboard(app, 'createKey', async ({ member, body, answer }) => {
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
    if (expiresAt && expiresAt <= now()) refuseDashboard('KEY_EXPIRY_PAST');
    const wanted = { name: body.name.trim(), scopes: body.scopes, expiresAt, by: member };
    const created = await createKey(db, member.accountId, wanted);
    if (created.outcome === 'no-account') return refuseAsNotFound();
    if (created.outcome === 'too-many') return refuseDashboard('TOO_MANY_KEYS');
    const key = await readOwn(member.accountId, created.id);
    return answer(201, { success: true, key, secret: created.key });
  });

  bindDashboard(app, 'revokeKey', async ({ member, params, answer }) => {
    await revokeKey(db, member.accountId, params.id, member);
    return answer(200, { success: true, key: await readOwn(member.accountId, params.id) });
  });

  async function readOwn(accountId: string, keyId: string): Promise<DashboardKey> {
    const key = await findKey(db, accountId, keyId);
    return key ? present(key, now()) : refuseAsNotFound();
  }
}

function present(key: KeyRecord, now: Date): DashboardKey {
  return {
    ...key,
    scopes: key.scopes as Scope[],
    state: key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'active',
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
