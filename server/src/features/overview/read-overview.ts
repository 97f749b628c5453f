import {
  COUNTED_UNASSIGNED,
  JUDGED_DELIVERIES,
  type Overview,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from '@navette/contract';
import { sql } from 'kysely';
import { lastDays } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { type AccountSettings, amountDueCents } from '../accounts/index.ts';
import { readFirstSteps } from '../first-steps/index.ts';
import { toEuros } from '../ledger/index.ts';
import { blocksOf } from './account-page.ts';

const DAY_MS = 86_400_000;

/** Reads counters and the newest entries of indexes, so the number of rows is bounded for any account. */
export async function readOverview(
  db: Database,
  account: AccountSettings,
  days: number,
  timeZone: string,
  now: Date,
): Promise<Overview> {
  const dates = lastDays(2 * days, timeZone, now);
  const [perDay, byStatus, webhooks, unassigned, recurring, firstSteps] = await Promise.all([
    readDays(db, account.id, dates),
    readStatuses(db, account.id),
    readWebhookHealth(db, account.id, now),
    countUnassigned(db, account.id),
    countRefusedSchedules(db, account.id),
    readFirstSteps(db, account.id),
  ]);
  return {
    days: perDay.slice(days),
    previousDays: perDay.slice(0, days),
    byStatus,
    webhooks,
    attention: { blocks: blocksOf(account, timeZone, now), unassigned, recurring },
    firstSteps,
    balance: toEuros(account.balanceCents),
    amountDue: toEuros(amountDueCents(account)),
    paymentMode: account.paymentMode,
  };
}

/** The range keeps the planner from reading all days of the account. */
async function readDays(db: Database, accountId: string, dates: string[]): Promise<Overview['days']> {
  const [first, last] = [dates.at(0), dates.at(-1)];
  const { rows } = await sql<{ date: string; shipments: number; cents: number; delivered: number; onTime: number }>`
    select d.day::text as date, coalesce(t.shipments, 0) as shipments, coalesce(t.amount_cents, 0) as cents,
           coalesce(v.delivered, 0) as delivered, coalesce(v.on_time, 0) as "onTime"
    from unnest(${dates}::date[]) as d (day)
    left join daily_totals t on t.account_id = ${accountId} and t.day = d.day
      and t.day between ${first} and ${last}
    left join daily_deliveries v on v.account_id = ${accountId} and v.day = d.day
      and v.day between ${first} and ${last}
    order by d.day`.execute(db);
  return rows.map(({ cents, ...day }) => ({ ...day, spend: toEuros(cents) }));
}

async function readStatuses(db: Database, accountId: string): Promise<Record<ShipmentStatus, number>> {
  return db
    .selectFrom('account_counters')
    .select(SHIPMENT_STATUSES)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Event ids are in the order of time, so the last 24 hours are the end of a primary key. Reads a bounded number of rows. */
async function readWebhookHealth(db: Database, accountId: string, now: Date): Promise<Overview['webhooks']> {
  const since = firstIdAt(new Date(now.getTime() - DAY_MS));
  const [{ rows }, webhooks] = await Promise.all([
    sql<{ delivered: number; dropped: number; pending: number }>`
      select count(*) filter (where status = 'delivered') as delivered,
             count(*) filter (where status = 'dropped') as dropped,
             count(*) filter (where status = 'pending') as pending
      from (
        select status from webhook_deliveries where account_id = ${accountId} and event_id >= ${since}::uuid
        order by event_id desc limit ${JUDGED_DELIVERIES}
      ) latest`.execute(db),
    db
      .selectFrom('webhooks')
      .select(['id', 'url', 'is_active', 'failing_since', 'paused_at'])
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('is_active', '=', true), eb('paused_at', 'is not', null)]))
      .orderBy('failing_since')
      .execute(),
  ]);
  const { delivered = 0, dropped = 0, pending = 0 } = rows[0] ?? {};
  const active = webhooks.filter((webhook) => webhook.is_active);
  const withSince = (column: 'failing_since' | 'paused_at') => (webhook: (typeof webhooks)[number]) => {
    const { id, url, [column]: at } = webhook;
    return at ? [{ id, url, since: at.toISOString() }] : [];
  };
  return {
    ...{ active: active.length, delivered, dropped, pending },
    failing: active.flatMap(withSince('failing_since')),
    paused: webhooks.flatMap(withSince('paused_at')),
  };
}

async function countUnassigned(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from driver_searches
      where account_id = ${accountId} and ended_at is null and spent_at is not null limit ${COUNTED_UNASSIGNED}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** An account has a bounded number of schedules that have not ended. */
async function countRefusedSchedules(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recurring_schedules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('active'))
    .where('refused_since', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}
