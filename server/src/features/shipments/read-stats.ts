import { SHIPMENT_STATUSES, type ShipmentStatus, type StatsAnswer } from '@navette/contract';
import { sql } from 'kysely';
import { lastDays } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { refuse } from '../../refusals/refusal.ts';
import { toEuros } from '../ledger/index.ts';

/** Reads counters that every change maintains, so the cost does not depend on the account. Amounts exclude refunds. */
export async function readStats(
  db: Database,
  accountId: string,
  timeZone: string,
  now: Date,
): Promise<StatsAnswer['stats']> {
  const days = lastDays(30, timeZone, now);
  const [counters, totals] = await Promise.all([
    db.selectFrom('account_counters').selectAll().where('account_id', '=', accountId).executeTakeFirst(),
    db
      .selectFrom('daily_totals')
      .select((eb) => [eb.cast<string>('day', 'text').as('day'), 'shipments', 'amount_cents'])
      .where('account_id', '=', accountId)
      .where('day', '>=', sql<Date>`${days[0]}::date`)
      .execute(),
  ]);
  if (!counters) return refuse('PROFESSIONAL_NOT_FOUND');
  const byDay = new Map(totals.map((total) => [total.day, total]));
  return {
    total: counters.last_shipment,
    byStatus: Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, counters[status]])) as Record<
      ShipmentStatus,
      number
    >,
    amount: { total: toEuros(counters.amount_cents), currency: 'EUR' },
    last30Days: days.map((date) => {
      const { shipments = 0, amount_cents: cents = 0 } = byDay.get(date) ?? {};
      return { date, count: shipments, amount: toEuros(cents) };
    }),
  };
}
