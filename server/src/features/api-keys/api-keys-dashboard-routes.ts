import {
  type DashboardKey,
  type KeyNarrowing,
  type KeyResource,
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  type Scope,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database, Tx } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { authorizeMember, notifyMembers, printableText } from '../members/index.ts';
import { createKey, findKey, type KeyRecord, listKeys, narrowKey, revokeKey } from './manage-keys.ts';
import { isWidened, toStored } from './narrowing.ts';

/** Limits mails to owners about new and widened keys. The security log lists every key. */
const MAILS_PER_ACCOUNT = { minute: 10, hour: 20, day: 50 };

export interface DashboardKeysOptions {
  db: Database;
  jobs: JobSender;
  rateLimiter: RateLimiter;
  now: () => Date;
}

export function serveKeysToDashboard(app: FastifyInstance, { db, jobs, rateLimiter, now }: DashboardKeysOptions): void {
  bindDashboard(app, 'listKeys', async ({ member, answer }) => {
    const keys = (await listKeys(db, member.accountId, now())).map((key) => present(key, now()));
    const active = keys.filter(({ state }) => state === 'active').length;
    return answer(200, { success: true, keys, active, mostActive: MAX_ACTIVE_KEYS_PER_ACCOUNT });
  });

  bindDashboard(app, 'createKey', async ({ member, body, answer }) => {
    const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
    if (expiresAt && expiresAt <= now()) refuseDashboard('KEY_EXPIRY_PAST');
    const narrowing = narrowingIn(body);
    const { accountId, memberId } = member;
    const isMailed = await takeLetter(accountId);
    const created = await createKey(db, accountId, {
      ...{ name: body.name.trim(), scopes: body.scopes, expiresAt, narrowing },
      authorize: authorizeMember(member, 'develop', now()),
      onCreated: async (tx, keyId) => {
        const recipients = { accountId, roles: ['owner' as const], also: memberId };
        if (isMailed) await notifyMembers(tx, jobs, recipients, { kind: 'key-created', about: keyId });
      },
    });
    if (created.outcome === 'no-account') return refuseAsNotFound();
    if (created.outcome === 'too-many') return refuseDashboard('TOO_MANY_KEYS');
    const key = await readOwn(accountId, created.id);
    return answer(201, { success: true, key, secret: created.key });
  });

  bindDashboard(app, 'narrowKey', async ({ member, params, body, answer }) => {
    const { accountId, memberId } = member;
    const authorize = authorizeMember(member, 'develop', now());
    const narrowing = narrowingIn(body);
    const before = (await findKey(db, accountId, params.id)) ?? refuseAsNotFound();
    // Only what is mailed counts, or many changes without one would use up the mail about the next.
    const isMailed = !isWidened(before as KeyNarrowing, narrowing) || (await takeLetter(accountId));
    const onWidened = async (tx: Tx) => {
      const recipients = { accountId, roles: ['owner' as const], also: memberId };
      if (isMailed) await notifyMembers(tx, jobs, recipients, { kind: 'key-widened', about: params.id });
    };
    if (!(await narrowKey(db, params.id, narrowing, { authorize, accountId, onWidened }))) refuseAsNotFound();
    return answer(200, { success: true, key: await readOwn(accountId, params.id) });
  });

  bindDashboard(app, 'revokeKey', async ({ member, params, answer }) => {
    await revokeKey(db, member.accountId, params.id, authorizeMember(member, 'develop', now()));
    return answer(200, { success: true, key: await readOwn(member.accountId, params.id) });
  });

  const takeLetter = async (accountId: string) =>
    (await rateLimiter.take(`key-letters:${accountId}`, MAILS_PER_ACCOUNT)).exhausted === null;

  async function readOwn(accountId: string, keyId: string): Promise<DashboardKey> {
    const key = await findKey(db, accountId, keyId);
    return key ? present(key, now()) : refuseAsNotFound();
  }
}

function narrowingIn({ networks = null, resources = null }: Partial<KeyNarrowing>): KeyNarrowing {
  return toStored({ networks, resources }) ?? refuseDashboard('KEY_NETWORK_INVALID');
}

function present({ createdBy, createdByEmail, makerHasLeft, ...key }: KeyRecord, now: Date): DashboardKey {
  return {
    ...key,
    createdBy:
      createdBy === null ? null : { name: printableText(createdBy), email: createdByEmail, hasLeft: makerHasLeft },
    scopes: key.scopes as Scope[],
    resources: key.resources as KeyResource[] | null,
    state: key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'active',
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
