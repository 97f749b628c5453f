import { randomUUIDv7 } from 'node:crypto';
import { quotePay } from '../src/features/driver-pay/index.ts';
import type { TestDriver } from './driver-app.ts';
import type { TestServer } from './test-server.ts';

/** Rates at which every part of the pay counts. */
export const PAY = {
  DRIVER_PAY_BASE_CENTS: '350',
  DRIVER_PAY_PER_KM_CENTS: '85',
  DRIVER_PAY_PER_KG_CENTS: '40',
  DRIVER_PAY_FREE_KG: '2',
};

/** Offers a run to drivers as the worker does, without positions. Returns the quoted pay in cents. */
export function offerRun(
  { db, config }: Pick<TestServer, 'db' | 'config'>,
  accountId: string,
  shipmentId: string,
  drivers: TestDriver[],
  now: Date,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const [search_id, run] = [randomUUIDv7(), { account_id: accountId, shipment_id: shipmentId }];
    await tx
      .insertInto('driver_searches')
      .values({ id: search_id, ...run, state: 'searching', started_at: now })
      .execute();
    const pay_cents = await quotePay(tx, config.driverPay, accountId, shipmentId);
    const terms = { round: 1, wave: 1, metres: 500, pay_cents, offered_at: now };
    const expires_at = new Date(now.getTime() + 3_600_000);
    await tx
      .insertInto('driver_offers')
      .values(drivers.map(({ id }) => ({ id: randomUUIDv7(), search_id, ...run, driver_id: id, ...terms, expires_at })))
      .execute();
    return pay_cents;
  });
}

/** The sum of the ledger, by driver. */
export async function ledgerSums({ db }: Pick<TestServer, 'db'>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('driver_ledger_entries')
    .select(['driver_id', (eb) => eb.fn.sum<string>('amount_cents').as('cents')])
    .groupBy('driver_id')
    .execute();
  return new Map(rows.map(({ driver_id, cents }) => [driver_id, Number(cents)]));
}

/** The same for runs, recomputed from the delivered shipments. */
export async function earnedByShipments({ db }: Pick<TestServer, 'db'>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('shipments')
    .select(['driver_id', (eb) => eb.fn.sum<string>('driver_pay_cents').as('cents')])
    .where('status', '=', 'delivered')
    .where('driver_pay_cents', '>', 0)
    .groupBy('driver_id')
    .execute();
  return new Map(rows.map(({ driver_id, cents }) => [driver_id as string, Number(cents)]));
}
