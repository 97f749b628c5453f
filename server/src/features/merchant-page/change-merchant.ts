import type { ConsolePart, StaffNeed } from '@navette/contract';
import pg from 'pg';
import type { Database, Tx } from '../../database/database.ts';
import { joinTransaction } from '../../database/join-transaction.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseConsole, refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import {
  type AccountInput,
  BadAccountInput,
  checkRetention,
  closeAccount,
  createAccount,
  readAccount,
  updateAccount,
} from '../accounts/index.ts';
import type { Locator } from '../geocoding/index.ts';
import { inviteByMail } from '../members/index.ts';
import { scheduleWaitingShipments } from '../shipments/index.ts';
import { actAsStaff, findLatestAct, type SignedInStaff } from '../staff/index.ts';

export interface ChangeContext {
  db: Database;
  jobs: JobSender;
  locator: Locator;
  config: { shipmentRetentionDays: number; timeZone: string };
  now: Date;
  staff: SignedInStaff;
}

interface Decision {
  version: string;
  reason: string;
}

/** Creates the account and, in the same transaction, the invitation of its first owner. */
export async function createMerchant(
  context: ChangeContext,
  { owner, requestId, timeSlots, ...settings }: ConsolePart<'createMerchant', 'body'>,
): Promise<{ id: string; clientId: string }> {
  const { db, jobs, locator, staff, now } = context;
  const input: AccountInput = { ...settings, ...slotsOf(timeSlots) };
  const recorded = actAsStaff<{ id: string; clientId: string }>(db, {
    ...{ staff, needs: 'administer', now },
    describe: ({ id }) => ({
      act: 'account.created',
      subject: { type: 'account', id, title: settings.name },
      details: { invited: owner !== undefined },
    }),
    follow: async (tx, { id }) => {
      if (owner) await inviteByMail(tx, jobs, id, { ...owner, role: 'owner' }, now);
    },
  });
  try {
    return await createAccount(recorded, input, locator, requestId);
  } catch (error) {
    if (isRepeated(error)) return findCreated(db, requestId);
    return refuseBadInput(error);
  }
}

const isRepeated = (error: unknown) =>
  error instanceof pg.DatabaseError && error.constraint === 'accounts_by_creation_request';

const findCreated = (db: Database, requestId: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'client_id as clientId'])
    .where('creation_request_id', '=', requestId)
    .executeTakeFirstOrThrow();

/** Changes settings with the use case of the command line. Shipments that waited for a pickup time are scheduled. */
export async function changeMerchant(
  context: ChangeContext,
  needs: StaffNeed,
  accountId: string,
  { version, reason, input }: Decision & { input: AccountInput },
): Promise<void> {
  const { db, jobs, locator, config, staff, now } = context;
  const account = await knownAccount(db, accountId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs, now, check: (tx) => requireSettingsVersion(tx, account.id, version) },
    describe: (isFound) =>
      isFound
        ? { ...actOf('account.updated', account, reason), details: { settings: Object.keys(input).join(', ') } }
        : null,
  });
  try {
    checkRetention(input, config.shipmentRetentionDays);
    await updateAccount(recorded, account.id, input, locator);
  } catch (error) {
    refuseBadInput(error);
  }
  if (input.agreedPickupTime === undefined && input.isSpecialRequest === undefined) return;
  const changed = await readAccount(db, account.id);
  if (changed) await scheduleWaitingShipments(db, jobs, changed, { timeZone: config.timeZone, now });
}

export async function closeMerchant(
  { db, staff, now }: ChangeContext,
  accountId: string,
  { version, reason }: Decision,
): Promise<void> {
  const account = await knownAccount(db, accountId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'administer', now, check: (tx) => requireSettingsVersion(tx, account.id, version) },
    describe: (isClosed) => (isClosed ? actOf('account.closed', account, reason) : null),
  });
  const isClosed = await recorded.transaction().execute((tx) => closeAccount(joinTransaction(tx), account.id));
  if (!isClosed) refuseNotPossible('account_closed');
}

export async function knownAccount(db: Database, accountId: string): Promise<{ id: string; name: string }> {
  const account = isUuid(accountId)
    ? await db
        .selectFrom('accounts')
        .select(['id', 'name'])
        .where('id', '=', accountId)
        .where('live_account_id', 'is', null)
        .executeTakeFirst()
    : undefined;
  return account ?? refuseAsNotFound();
}

export const actOf = <A extends string>(act: A, { id, name }: { id: string; name: string }, reason?: string) => ({
  act,
  subject: { type: 'account', id, title: name },
  ...(reason === undefined ? {} : { reason: reason.trim() }),
});

/** Locks the account. The second of two people is refused, with the name of the first. */
async function requireSettingsVersion(tx: Tx, accountId: string, version: string): Promise<void> {
  const { current } = await tx
    .selectFrom('accounts')
    .select('settings_version as current')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (String(current) === version) return;
  const latest = await findLatestAct(tx, 'account', accountId);
  const isChange = latest && ['account.updated', 'account.closed'].includes(latest.act);
  refuseConsole('CHANGED_MEANWHILE', {
    change: 'account.updated',
    ...(isChange ? { by: latest.actor, at: latest.at.toISOString() } : {}),
  });
}

export const slotsOf = (labels: string[] | undefined): Pick<AccountInput, 'timeSlots'> =>
  labels === undefined ? {} : { timeSlots: labels.map((label) => ({ label: label.trim() })) };

const REFUSED = ['isSpecialRequest', 'pickupAddress', 'timeSlots', 'retentionDays'] as const;

function refuseBadInput(error: unknown): never {
  if (!(error instanceof BadAccountInput)) throw error;
  const [problem = ''] = error.problems;
  const setting = REFUSED.find((name) => problem.startsWith(name)) ?? (/decimals/.test(problem) ? 'amounts' : 'other');
  return refuseConsole('SETTING_REFUSED', { setting });
}
