import type { Offer } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../refusals/driver-refusal.ts';
import {
  closeOffers,
  endSearch,
  hasOpenOffers,
  lockActiveSearch,
  lockShipment,
  recordDecision,
} from '../dispatch/index.ts';
import { applyOnce, hasCapacity } from '../drivers/index.ts';
import { toEuros } from '../ledger/index.ts';
import { changeStatus } from '../shipments/index.ts';
import type { RunStep } from './move-run.ts';
import { presentOffer, selectDriverColumns } from './read-runs.ts';

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
): Promise<void> {
  const { driverId, receivedAt: now } = command;
  const { timeZone, dispatch } = config;
  await applyOnce(db, command, shipmentId, async (tx) => {
    const { accountId } = (await latestOffer(tx, driverId, shipmentId)) ?? refuseAsUnknownRun();
    const shipment = (await lockShipment(tx, accountId, shipmentId)) ?? refuseAsUnknownRun();
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    const offer = await latestOffer(tx, driverId, shipmentId);
    if (shipment.driverId === driverId && shipment.status === 'assigned' && offer?.answer === 'accepted') return null;
    if (shipment.status !== 'created' || !search || offer?.answer !== null || offer.expiresAt <= now) {
      return refuseDriver('OFFER_GONE');
    }
    if (!(await hasCapacity(tx, driverId, dispatch.runsPerDriver))) refuseDriver('TOO_MANY_RUNS');
    await changeStatus(tx, jobs, accountId, shipmentId, {
      trigger: 'assign',
      channel,
      driverId,
      payCents: offer.payCents, // as shown, whatever the settings are by now
      now,
      timeZone,
    });
    await endSearch(tx, jobs, search, { state: 'assigned', now, winner: driverId });
    const details = { metres: offer.metres, by: 'driver' as const, channel };
    await recordDecision(tx, {
      accountId,
      shipmentId,
      searchId: search.id,
      kind: 'assigned',
      at: now,
      driverId,
      details,
    });
    return null;
  });
}

/** When every driver of a wave has refused, the next wave starts at once. */
export async function refuseOffer({ db, jobs }: OfferContext, { command, shipmentId }: RunStep): Promise<void> {
  const { driverId, receivedAt: now } = command;
  await applyOnce(db, command, shipmentId, async (tx) => {
    const { accountId } = (await latestOffer(tx, driverId, shipmentId)) ?? refuseAsUnknownRun();
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    const refused = search ? await closeOffers(tx, search, 'refused', now, driverId) : [];
    if (!search || refused.length === 0) {
      const offer = await latestOffer(tx, driverId, shipmentId);
      return offer?.answer === 'refused' ? null : refuseDriver('OFFER_GONE');
    }
    if (!(await hasOpenOffers(tx, search))) await jobs.send(tx, searchDriverJob, { accountId, shipmentId });
    return null;
  });
}

/** Reads across accounts: the offer shows which account the shipment belongs to. */
async function latestOffer(db: Database | Tx, driverId: string, shipmentId: string) {
  if (!isUuid(shipmentId)) return undefined;
  return db
    .selectFrom('driver_offers')
    .select(['account_id as accountId', 'answer', 'expires_at as expiresAt', 'metres', 'pay_cents as payCents'])
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('offered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
