import type { Offer } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../refusals/driver-refusal.ts';
import { closeOffers, closeSearch, listAsked, lockActiveSearch } from '../dispatch/index.ts';
import { enqueuePushes } from '../driver-push/index.ts';
import { applyOnce, hasCapacity } from '../drivers/index.ts';
import { toEuros } from '../ledger/index.ts';
import { changeLocked, lockForChange } from '../shipments/index.ts';
import type { MovedRun, RunStep } from './move-run.ts';
import { driverColumns, presentOffer, selectDriverColumns } from './read-runs.ts';

export interface OfferContext {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'timeZone'>;
}

/** The open offers of this driver, across accounts. */
export async function listOffersToDriver(db: Database, driverId: string, now: Date): Promise<Offer[]> {
  const rows = await selectDriverColumns(db)
    .innerJoin('driver_offers', (join) =>
      join
        .onRef('driver_offers.account_id', '=', 'shipments.account_id')
        .onRef('driver_offers.shipment_id', '=', 'shipments.id'),
    )
    .select(['expires_at', 'metres', 'pay_cents'])
    .where('driver_offers.driver_id', '=', driverId)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .where('status', '=', 'created')
    .orderBy('expires_at')
    .execute();
  return rows.map((row) => ({
    expiresAt: row.expires_at.toISOString(),
    distanceKm: Math.round(row.metres / 100) / 10,
    pay: row.pay_cents === 0 ? null : toEuros(row.pay_cents),
    ...presentOffer(row),
  }));
}

/**
 * The first driver to accept gets the run: the shipment's lock serialises them, and the second one is refused.
 * Idempotent for the driver who has the run, since the response may get lost on its way to a phone.
 */
export async function acceptOffer(
  { db, jobs, config }: OfferContext,
  { command, shipmentId, channel }: RunStep,
): Promise<MovedRun> {
  const { driverId, receivedAt: now } = command;
  const { timeZone, dispatch } = config;
  let accepted: MovedRun = null;
  await applyOnce(db, command, shipmentId, async (tx) => {
    const shipment = (await lockOfferedShipment(tx, driverId, shipmentId)) ?? refuseAsUnknownRun();
    const offer = await lockLatestOffer(tx, driverId, shipmentId);
    if (shipment.driver_id === driverId && shipment.status === 'assigned' && offer.answer === 'accepted') return null;
    if (shipment.status !== 'created' || offer.searchEndedAt || offer.answer !== null || offer.expiresAt <= now) {
      return refuseDriver('OFFER_GONE');
    }
    if (!(await hasCapacity(tx, driverId, dispatch.runsPerDriver))) refuseDriver('TOO_MANY_RUNS');
    const { account_id: accountId } = shipment;
    const search = { id: offer.searchId, accountId, shipmentId };
    const details = { metres: offer.metres, by: 'driver' as const, channel };
    const losers = await closeSearch(tx, search, { state: 'assigned', now, winner: driverId, driverId, details });
    const withdrawal = { accountId, shipmentId, driverIds: losers.driverIds, push: 'offer-withdrawn' } as const;
    await enqueuePushes(tx, jobs, withdrawal, losers.sessionIds);
    const changed = await changeLocked(tx, jobs, shipment, {
      trigger: 'assign',
      channel,
      driverId,
      payCents: offer.payCents, // as shown, whatever the settings are by now
      withdrawnFrom: losers.driverIds,
      returning: driverColumns,
      now,
      timeZone,
    });
    if (changed.outcome === 'changed') accepted = (changed.row ?? null) as MovedRun;
    return null;
  });
  return accepted;
}

/** When every driver of a wave has refused, the next wave starts at once. */
export async function refuseOffer({ db, jobs }: OfferContext, { command, shipmentId }: RunStep): Promise<void> {
  const { driverId, receivedAt: now } = command;
  await applyOnce(db, command, shipmentId, async (tx) => {
    const offered = (await latestOffer(tx, driverId, shipmentId)) ?? refuseAsUnknownRun();
    const run = { accountId: offered.accountId, shipmentId: offered.shipmentId };
    const search = await lockActiveSearch(tx, run.accountId, run.shipmentId);
    const refused = search ? await closeOffers(tx, search, 'refused', now, driverId) : [];
    if (!search || refused.length === 0) {
      const offer = await latestOffer(tx, driverId, shipmentId);
      return offer?.answer === 'refused' ? null : refuseDriver('OFFER_GONE');
    }
    const asked = await listAsked(tx, search);
    if (asked.length === 0) await jobs.send(tx, searchDriverJob, run);
    return null;
  });
}

/** Finds the shipment across accounts: the offer shows which account it belongs to. */
async function lockOfferedShipment(tx: Tx, driverId: string, shipmentId: string) {
  if (!isUuid(shipmentId)) return undefined;
  return lockForChange(tx)
    .where('id', '=', shipmentId)
    .where('account_id', '=', (eb) =>
      eb
        .selectFrom('driver_offers as o')
        .select('o.account_id')
        .where('o.driver_id', '=', driverId)
        .where('o.shipment_id', '=', shipmentId)
        .limit(1),
    )
    .executeTakeFirst();
}

/**
 * Locks the search, then the driver's offer, in this order, and returns both as they are then. The lock order of the rows
 * is that of the names after FOR UPDATE OF.
 */
const lockLatestOffer = (tx: Tx, driverId: string, shipmentId: string) =>
  tx
    .selectFrom('driver_offers as o')
    .innerJoin('driver_searches as s', 's.id', 'o.search_id')
    .select(['o.answer', 'o.expires_at as expiresAt', 'o.metres', 'o.pay_cents as payCents'])
    .select(['s.id as searchId', 's.ended_at as searchEndedAt'])
    .where('o.driver_id', '=', driverId)
    .where('o.shipment_id', '=', shipmentId)
    .orderBy('o.offered_at', 'desc')
    .limit(1)
    .forUpdate(['s', 'o'])
    .executeTakeFirstOrThrow();

/** Reads across accounts: the offer shows which account the shipment belongs to. */
async function latestOffer(db: Database | Tx, driverId: string, shipmentId: string) {
  if (!isUuid(shipmentId)) return undefined;
  return db
    .selectFrom('driver_offers')
    .select(['account_id as accountId', 'shipment_id as shipmentId', 'answer'])
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('offered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
