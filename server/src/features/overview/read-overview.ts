import {
  COUNTED_UNASSIGNED,
  JUDGED_DELIVERIES,
  type Overview,
  SHIPMENT_STATUSES,
  type ShipmentStatus,
} from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../uuid.ts';
import { type AccountSettings, amountDueCents } from '../accounts/index.ts';
import { readFirstSteps } from '../first-steps/index.ts';
import { toEuros } from '../ledger/index.ts';
import { lastDays } from '../slots/index.ts';
import { blocksOf } from './account-page.ts';

const DAY_MS = 86_400_000;

/** Reads counters and the newest end of indexes: as many rows for the largest account as for any busy one. */
export async function readOverview(
  db: Database,
  account: AccountSettings,
  days: number,
  timeZone: string,
  now: Date,
): Promise<Overview> {
  const dates = lastDays(days, timeZone, now);
  const [perDay, byStatus, webhooks, unassigned, firstSteps] = await Promise.all([
    readDays(db, account.id, dates),
    readStatuses(db, account.id),
    readWebhookHealth(db, account.id, now),
    countUnassigned(db, account.id),
    readFirstSteps(db, account.id),
  ]);
  return {
    days: perDay,
    byStatus,
    webhooks,
    attention: { blocks: blocksOf(account, timeZone, now), unassigned },
    firstSteps,
    balance: toEuros(account.balanceCents),
    amountDue: toEuros(amountDueCents(account)),
    paymentMode: account.paymentMode,
  };
}

async function readDays(db: Database, accountId: string, dates: string[]): Promise<Overview['days']> {
  const { rows } = await sql<{ date: string; shipments: number; cents: number; delivered: number; onTime: number }>`
    select d.day::text as date, coalesce(t.shipments, 0) as shipments, coalesce(t.amount_cents, 0) as cents,
           coalesce(v.delivered, 0) as delivered, coalesce(v.on_time, 0) as "onTime"
    from unnest(${dates}::date[]) as d (day)
    left join daily_totals t on t.account_id = ${accountId} and t.day = d.day
    left join daily_deliveries v on v.account_id = ${accountId} and v.day = d.day
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

/** Events are numbered by time, so the last 24 hours are the end of a primary key; at most so many rows of it. */
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
      .select(['id', 'url', 'failing_since'])
      .where('account_id', '=', accountId)
      .where('is_active', '=', true)
      .orderBy('failing_since')
      .execute(),
  ]);
  const { delivered = 0, dropped = 0, pending = 0 } = rows[0] ?? {};
  const failing = webhooks.flatMap(({ id, url, failing_since: since }) =>
    since ? [{ id, url, since: since.toISOString() }] : [],
  );
  return { active: webhooks.length, delivered, dropped, pending, failing };
}

async function countUnassigned(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from driver_searches
      where account_id = ${accountId} and ended_at is null and spent_at is not null limit ${COUNTED_UNASSIGNED}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}
