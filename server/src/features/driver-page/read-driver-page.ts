import type { DriverPage, DriverRun, ShipmentStatus } from '@navette/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { type Arrivals, presentArrival } from '../arrival/index.ts';
import { isPaidByRun, monthOf, readLastEntry, readStatement } from '../driver-pay/index.ts';
import { ACTIVE_RUN_LITERALS, type DriverPositions, listDriverDocuments, listSessions } from '../drivers/index.ts';
import { toEuros } from '../ledger/index.ts';

export interface DriverPageContext {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'timeZone' | 'driverPay'>;
  arrivals: Arrivals;
  now: Date;
}

const MOST_RUNS = 100;
const INCIDENTS = 20;
const PAY_ENTRIES = 100;

/** Everything about one driver. Null when there is no such driver. */
export async function readDriverPage(context: DriverPageContext, driverId: string): Promise<DriverPage | null> {
  const { db, config, now } = context;
  const driver = await readDriver(db, driverId);
  if (!driver) return null;
  const [runs, endedToday, incidents, sessions, documents, pay, positionAt, expected] = await Promise.all([
    listAnyRuns(db, driverId),
    listAnyEndedToday(db, driverId, startOfDateFilter(localDay(now, config.timeZone), config.timeZone)),
    listAnyIncidents(db, driverId),
    listSessions(db, driverId, now),
    listDriverDocuments(db, driverId),
    readPay(context, driverId),
    readPositionTime(context, driverId),
    context.arrivals.ofDrivers([driverId], now),
  ]);
  return {
    driver: { ...driver, positionAt },
    runs: runs.map((run) => ({ ...run, arrival: presentArrival(expected.get(run.id)) })),
    endedToday,
    incidents,
    sessions: sessions.map(({ id, device, createdAt, lastUsedAt, expiresAt }) => ({
      ...{ id, device, createdAt: createdAt.toISOString() },
      ...{ lastUsedAt: lastUsedAt.toISOString(), expiresAt: expiresAt.toISOString() },
    })),
    documents,
    pay,
  };
}

async function readDriver(db: Database, driverId: string) {
  const row = await db
    .selectFrom('drivers')
    .selectAll()
    .where('id', '=', driverId)
    .where('test_account_id', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      name: `${row.first_name} ${row.last_name}`,
      phone: row.phone_number,
      email: row.email,
      available: row.available,
      autoAccept: row.auto_accept,
      rating: row.rating,
      createdAt: row.created_at.toISOString(),
      disabledAt: row.disabled_at?.toISOString() ?? null,
    }
  );
}

const selectRuns = (db: Database) =>
  db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.id', 's.reference_number as reference', 's.status', 'a.name as account', 's.time_slot as timeSlot'])
    .select(['s.updated_at as at', 's.returned_at as returnedAt'])
    .select(sql<string>`coalesce(s.pickup_address ->> 'city', '')`.as('from'))
    .select(sql<string>`coalesce(s.delivery_address ->> 'city', '')`.as('to'));

type RunRow = ReturnType<typeof selectRuns> extends SelectQueryBuilder<infer _D, infer _T, infer Row> ? Row : never;

async function listAnyRuns(db: Database, driverId: string): Promise<DriverRun[]> {
  const rows = await selectRuns(db)
    .where('s.driver_id', '=', driverId)
    .where('s.status', 'in', ACTIVE_RUN_LITERALS) // uses the index shipments_in_hand
    .where('s.returned_at', 'is', null)
    .orderBy('s.updated_at')
    .limit(MOST_RUNS)
    .execute();
  return rows.map(presentRun);
}

const ENDED_AT = sql<Date>`coalesce(s.delivered_at, s.cancelled_at, s.returned_at)`; // uses shipments_ended_by_driver

async function listAnyEndedToday(db: Database, driverId: string, since: Date): Promise<DriverRun[]> {
  const rows = await selectRuns(db)
    .where('s.driver_id', '=', driverId)
    .where(ENDED_AT, '>=', since)
    .orderBy(ENDED_AT, 'desc')
    .limit(MOST_RUNS)
    .execute();
  return rows.map(presentRun);
}

const presentRun = ({ returnedAt, status, at, ...run }: RunRow): DriverRun => ({
  ...run,
  status: status as ShipmentStatus,
  isReturned: returnedAt !== null,
  arrival: null,
  at: at.toISOString(),
});

async function listAnyIncidents(db: Database, driverId: string): Promise<DriverPage['incidents']> {
  const rows = await db
    .selectFrom('incidents as i')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'i.account_id').onRef('s.id', '=', 'i.shipment_id'),
    )
    .select(['i.id', 'i.kind', 'i.happened_at as at', 'i.resolution', 's.id as shipmentId'])
    .select('s.reference_number as reference')
    .where('i.driver_id', '=', driverId)
    .orderBy('i.happened_at', 'desc')
    .limit(INCIDENTS)
    .execute();
  return rows.map(({ at, shipmentId, reference, ...incident }) => ({
    ...incident,
    at: at.toISOString(),
    shipment: { id: shipmentId, reference },
  }));
}

async function readPay({ db, config, now }: DriverPageContext, driverId: string): Promise<DriverPage['pay']> {
  const month = monthOf(now, config.timeZone);
  const [{ totalCents, closingCents, entries }, lastEntry] = await Promise.all([
    readStatement(db, driverId, month, config.timeZone),
    readLastEntry(db, driverId),
  ]);
  if (!isPaidByRun(config.driverPay) && closingCents === 0 && entries.length === 0) return null;
  return {
    month,
    total: toEuros(totalCents),
    balance: toEuros(closingCents),
    lastEntry,
    entries: entries
      .toReversed()
      .slice(0, PAY_ENTRIES)
      .map(({ entry, at, kind, amountCents, referenceNumber }) => ({
        ...{ entry, at: at.toISOString(), kind, amount: toEuros(amountCents), reference: referenceNumber },
      })),
  };
}

/** Null without a recent position, or without Redis. */
async function readPositionTime({ positions }: DriverPageContext, driverId: string): Promise<string | null> {
  const position = await positions.find(driverId).catch(() => null);
  return position?.at.toISOString() ?? null;
}
