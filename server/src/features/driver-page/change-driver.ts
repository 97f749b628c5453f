import type { ConsolePart } from '@navette/contract';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { joinTransaction } from '../../database/join-transaction.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseConsole, refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { correctDriverBalance, readLastEntry } from '../driver-pay/index.ts';
import {
  BadDriverInput,
  createDriver,
  disableDriver,
  endSessions,
  findDriver,
  readDriverNumber,
  sendPasswordLink,
} from '../drivers/index.ts';
import { toCents } from '../ledger/index.ts';
import { actAsStaff, type SignedInStaff } from '../staff/index.ts';

export interface DriverActContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'smsCountries'>;
  now: Date;
  staff: SignedInStaff;
}

/** A driver is named by id: the log of acts is kept longer than the driver's name. */
export const subjectOf = (id: string) => ({ type: 'driver', id, title: id });

/** The first session of a new driver is for the command line, which prints its token. Here the driver gets a link. */
export async function createDriverAsStaff(
  { db, jobs, config, staff, now }: DriverActContext,
  { inviteBy, ...input }: ConsolePart<'createDriver', 'body'>,
): Promise<string> {
  if (inviteBy === 'sms') refuseNumber(input.phoneNumber, config);
  const recorded = actAsStaff<{ id: string }[]>(db, {
    ...{ staff, needs: 'dispatch', now },
    describe: ([created]) => ({ act: 'driver.created', ...(created ? { subject: subjectOf(created.id) } : {}) }),
    follow: async (tx, [created]) => {
      if (!created) return;
      await endSessions(tx, created.id, 'all', now);
      if (inviteBy)
        await sendPasswordLink({ db: joinTransaction(tx), jobs }, { ...created, hasPassword: false }, inviteBy);
    },
  });
  try {
    return (await createDriver(recorded, input, now)).id;
  } catch (error) {
    if (!(error instanceof BadDriverInput)) throw error;
    if (error.message.startsWith('email: already used')) return refuseNotPossible('email_taken');
    const [, path = 'input', msg = ''] = /^(\w+): (.*)$/s.exec(error.message) ?? [];
    throw fieldErrors([{ type: 'field', msg, path, location: 'body' }]);
  }
}

export async function inviteDriver(
  { db, jobs, config, staff, now }: DriverActContext,
  driverId: string,
  by: 'email' | 'sms',
): Promise<void> {
  const driver = await knownDriver(db, driverId);
  if (driver.disabledAt) refuseNotPossible('driver_disabled');
  if (by === 'email' && driver.email === null) refuseNotPossible('driver_has_no_email');
  if (by === 'sms') refuseNumber(driver.phoneNumber, config);
  const recorded = actAsStaff(db, {
    ...{ staff, needs: 'dispatch', now },
    describe: () => ({ act: 'driver.invited', subject: subjectOf(driver.id), details: { by } }),
  });
  await sendPasswordLink({ db: recorded, jobs }, driver, by);
}

export async function endDriverSession(
  { db, staff, now }: DriverActContext,
  driverId: string,
  sessionId: string,
): Promise<void> {
  const { id } = await knownDriver(db, driverId);
  const recorded = actAsStaff<string[]>(db, {
    ...{ staff, needs: 'dispatch', now },
    describe: ({ length }) =>
      length > 0 ? { act: 'driver.signed_out', subject: subjectOf(id), details: { sessions: length } } : null,
  });
  const ended = await recorded.transaction().execute((tx) => endSessions(tx, id, { only: sessionId }, now));
  if (ended.length === 0) refuseAsNotFound();
}

export async function disableDriverAsStaff(
  { db, staff, now }: DriverActContext,
  driverId: string,
  reason: string,
): Promise<void> {
  const { id } = await knownDriver(db, driverId);
  const recorded = actAsStaff<boolean>(db, {
    ...{ staff, needs: 'administer', now },
    describe: (isDisabled) =>
      isDisabled ? { act: 'driver.disabled', subject: subjectOf(id), reason: reason.trim() } : null,
  });
  if (!(await disableDriver(recorded, id, now))) refuseNotPossible('driver_disabled');
}

/** `lastEntry` is the ledger that the person has read: after another entry, or when sent again, it is refused. */
export async function correctDriverPay(
  { db, staff, now }: DriverActContext,
  driverId: string,
  { amount, reason, lastEntry }: ConsolePart<'correctDriverPay', 'body'>,
): Promise<void> {
  const { id } = await knownDriver(db, driverId);
  const cents = toCents(amount);
  if (!cents)
    throw fieldErrors([
      { type: 'field', msg: 'Au plus deux décimales, et pas zéro.', path: 'amount', location: 'body' },
    ]);
  const recorded = actAsStaff<{ entry: number }>(db, {
    ...{ staff, needs: 'money', now },
    check: async (tx) => {
      // A driver without entries has no row to lock yet.
      await sql`select id from drivers where id = ${id} for no key update`.execute(tx);
      if ((await readLastEntry(tx, id, true)) !== lastEntry)
        refuseConsole('CHANGED_MEANWHILE', { change: 'driver.balance_corrected' });
    },
    describe: ({ entry }) => ({
      ...{ act: 'driver.balance_corrected', subject: subjectOf(id), reason: reason.trim() },
      details: { amountCents: cents, entry },
    }),
  });
  await recorded
    .transaction()
    .execute((tx) => correctDriverBalance(joinTransaction(tx), id, cents, reason.trim(), now));
}

export async function knownDriver(db: Database, driverId: string) {
  return (isUuid(driverId) ? await findDriver(db, driverId) : undefined) ?? refuseAsNotFound();
}

/** The worker sends the link later, so a number that cannot be used is reported here. */
function refuseNumber(phoneNumber: string, { smsCountries }: DriverActContext['config']): void {
  if (typeof readDriverNumber(phoneNumber, smsCountries) !== 'string') refuseNotPossible('driver_number_refused');
}
