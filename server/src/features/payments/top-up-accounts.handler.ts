import { randomUUIDv7 } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type StripeClient, StripeFailure } from '../../adapters/stripe/stripe-client.ts';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notifyMembers } from '../members/index.ts';
import { askAboutEach } from './ask-about-each.ts';
import { endFirstPayment, endReplacement, stopAutomatic } from './automatic-rows.ts';
import { findAnyPayment } from './payment-rows.ts';
import { advance, settleIntent } from './settle-payment.ts';

const PER_DAY = 3; // payments of one account, so that a mistake in a limit does not empty a bank account
const PER_RUN = 50; // accounts
const KEY_KEPT_MS = 20 * 3_600_000; // Stripe forgets the key of a request after 24 hours, and would then charge again
const CHECK_MS = 600_000;
const SETTLED_DAYS = 30; // banks refuse a debit within days
/** Stripe's statuses for a payment that will not be taken: 402 by the bank, 400 and 404 for a method that is gone. */
const REFUSED = new Set<number | null>([400, 402, 404]);

export interface TopUpAccountsContext {
  db: Database;
  jobs: JobSender;
  /** Null when payments online are switched off. */
  stripe: StripeClient | null;
  timeZone: string;
  log: FastifyBaseLogger;
}

type Context = TopUpAccountsContext & { stripe: StripeClient };

/**
 * Automatic payments of any account, every minute. It reads accounts that have the setting, and creations do nothing for it: a
 * balance is noticed a minute later at most. A payment is a row before Stripe is called with its id as the key, so a worker that
 * dies takes nothing twice: the next run repeats the request.
 */
export async function topUpAccounts(context: TopUpAccountsContext, now: Date): Promise<void> {
  const { stripe, log } = context;
  if (!stripe) return;
  const working = { ...context, stripe };
  await switchOn(working, now);
  await switchOffFailed(working, now);
  await startAnyDue(working, now);
  await askAboutEach(await takeAnyUnsent(working, now), log, (id) => take(working, id, now));
  await switchOffFailed(working, now);
}

/**
 * The payment that stores the method has ended: the first one, or the one that replaces the method. A replacement waits for an
 * automatic payment whose request is under way, because Stripe refuses the same key with another method.
 */
async function switchOn({ db, stripe, log }: Context, now: Date): Promise<void> {
  const { rows } = await sql<StoringPayment>`
    select t.account_id as "accountId", p.id as "paymentId", p.status, p.intent_id as "intentId",
      p.id is not distinct from t.next_payment_id as "isReplacement"
    from automatic_top_ups t join payments p
      on p.id = t.next_payment_id or (t.state = 'pending' and p.id = t.first_payment_id)
    where (t.state = 'pending' or t.next_payment_id is not null)
      and p.status in ('succeeded', 'failed', 'expired', 'review', 'rejected')
      and not (p.id is not distinct from t.next_payment_id and exists (
        select from payments a where a.account_id = t.account_id and a.method = 'automatic' and a.status = 'open'
          and a.intent_id is null))
    order by t.changed_at limit ${PER_RUN}`.execute(db);
  const storing = new Map(rows.map((row) => [row.paymentId, row]));
  await askAboutEach([...storing.keys()], log, async (paymentId) => {
    const payment = storing.get(paymentId) as StoringPayment;
    const { accountId, status, intentId, isReplacement } = payment;
    const intent = status === 'succeeded' && intentId ? await findIntent(stripe, intentId) : null;
    const method =
      intent?.customerId && intent.methodId ? { customerId: intent.customerId, methodId: intent.methodId } : null;
    if (isReplacement) await endReplacement(db, accountId, paymentId, method, now);
    else await endFirstPayment(db, accountId, paymentId, method, now);
  });
}

interface StoringPayment {
  accountId: string;
  paymentId: string;
  status: string;
  intentId: string | null;
  isReplacement: boolean;
}

/** Null when Stripe does not know it, as after a change of the operator's Stripe account. */
const findIntent = (stripe: StripeClient, id: string) =>
  stripe.readIntent(id).catch((error: unknown) => {
    if (error instanceof StripeFailure && error.status === 404) return null;
    throw error;
  });

/** A payment that failed since it was switched on ends it, with an e-mail to the owners in the same commit. */
async function switchOffFailed({ db, jobs }: Context, now: Date): Promise<void> {
  const { rows } = await sql<{ accountId: string; failure: string | null }>`
    select t.account_id as "accountId", p.failure
    from payments p join automatic_top_ups t on t.account_id = p.account_id
    where p.status in ('failed', 'review') and p.created_at > ${now}::timestamptz - make_interval(days => ${SETTLED_DAYS})
      and p.method = 'automatic' and p.created_at >= t.changed_at and t.state = 'on'
    limit ${PER_RUN}`.execute(db);
  for (const { accountId, failure } of rows) {
    const reason = failure === 'authentication_required' ? failure : 'refused';
    await db.transaction().execute(async (tx) => {
      if (!(await stopAutomatic(tx, accountId, reason, now))) return;
      const mail = { kind: 'automatic-top-up-off', about: accountId } as const;
      await notifyMembers(tx, jobs, { accountId, roles: ['owner'] }, mail);
    });
  }
}

/** Records a payment for each account below its limit: one at a time, and a few a day. The setting is locked, so two runs start one. */
async function startAnyDue({ db, timeZone }: Context, now: Date): Promise<void> {
  const midnight = startOfDateFilter(localDay(now, timeZone), timeZone);
  const due = sql`
    t.state = 'on' and c.balance_cents < t.threshold_cents and a.closed_at is null and a.moved_to is null
    and not exists (select from payments p where p.account_id = t.account_id and p.method = 'automatic'
                    and p.status in ('open', 'processing'))
    and (select count(*) from payments p where p.account_id = t.account_id and p.method = 'automatic'
         and p.created_at >= ${midnight}) < ${PER_DAY}`;
  const tables = sql`automatic_top_ups t join account_counters c on c.account_id = t.account_id
    join accounts a on a.id = t.account_id`;
  const { rows } = await sql<{ accountId: string }>`
    select t.account_id as "accountId" from ${tables} where ${due} order by t.account_id limit ${PER_RUN}`.execute(db);
  for (const { accountId } of rows) {
    await db.transaction().execute(async (tx) => {
      await sql`select from automatic_top_ups where account_id = ${accountId} for update`.execute(tx);
      await sql`
        insert into payments (id, account_id, method, status, amount_cents, created_at, updated_at)
        select ${randomUUIDv7()}, t.account_id, 'automatic', 'open', t.amount_cents, ${now}, ${now}
        from ${tables} where ${due} and t.account_id = ${accountId}`.execute(tx);
    });
  }
}

/** Marked before Stripe is asked: those that it refuses for a while do not keep the others waiting. */
async function takeAnyUnsent({ db }: Context, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments set check_at = ${new Date(now.getTime() + CHECK_MS)}
    where id in (select id from payments p where status = 'open' and method = 'automatic' and intent_id is null
                   and ${servedHere('p.account_id')}
                 order by check_at nulls first, created_at limit ${PER_RUN} for update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

interface UnsentPayment {
  amountCents: number;
  customerId: string | null;
  methodId: string | null;
  at: Date;
  isClosed: boolean;
}

async function take({ db, stripe }: Context, id: string, now: Date): Promise<void> {
  const { rows } = await sql<UnsentPayment>`
    select p.amount_cents as "amountCents", t.customer_id as "customerId", t.method_id as "methodId", p.created_at as at,
      a.closed_at is not null as "isClosed"
    from payments p join automatic_top_ups t on t.account_id = p.account_id join accounts a on a.id = p.account_id
    where p.id = ${id}`.execute(db);
  const { amountCents = 0, customerId, methodId, at = now, isClosed } = rows[0] ?? {};
  const fail = (code: string) =>
    db.transaction().execute(async (tx) => {
      const payment = await findAnyPayment(tx, { id }, true);
      if (payment) await advance(tx, payment, 'failed', now, code);
    });
  // A member stopped it, or the operator closed the account, meanwhile. Money that Stripe has taken all the same arrives as an event, and is credited.
  if (!customerId || !methodId || isClosed) return fail('stopped');
  if (now.getTime() - at.getTime() > KEY_KEPT_MS) return fail('not_repeated');
  try {
    const intent = await stripe.payOffSession({ reference: id, amountCents, customerId, methodId });
    await db.transaction().execute(async (tx) => {
      const payment = await findAnyPayment(tx, { id }, true);
      if (!payment) return;
      const checkAt = new Date(now.getTime() + CHECK_MS);
      await tx.updateTable('payments').set({ check_at: checkAt }).where('id', '=', id).execute();
      await settleIntent(tx, payment, intent, now);
    });
  } catch (error) {
    if (error instanceof StripeFailure && REFUSED.has(error.status)) return fail(error.code);
    throw error;
  }
}
