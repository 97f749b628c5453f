import type { Offer } from '@navette/contract';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import { refuseAsUnknownRun, refuseDriver } from '../../http/driver-refusal.ts';
import type { SpokenChannel } from '../../http/spoken-channel.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { isUuid } from '../../uuid.ts';
import { canTakeAnother, selectViews, viewForDriver } from '../drivers/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { recordDecision } from './decisions.ts';
import { answerOffers, endSearch, hasOpenOffers, lockActiveSearch, lockShipment } from './searches.ts';

export interface Offering {
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'timeZone'>;
}

/** What this driver is offered now, whoever the merchant is. */
export async function listOffersToDriver(db: Database, driverId: string, now: Date): Promise<Offer[]> {
  const rows = await selectViews(db)
    .innerJoin('driver_offers', (join) =>
      join
        .onRef('driver_offers.account_id', '=', 'shipments.account_id')
        .onRef('driver_offers.shipment_id', '=', 'shipments.id'),
    )
    .select(['expires_at', 'metres'])
    .where('driver_offers.driver_id', '=', driverId)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .where('status', '=', 'created')
    .orderBy('expires_at')
    .execute();
  return rows.map((row) => ({
    expiresAt: row.expires_at.toISOString(),
    distanceKm: Math.round(row.metres / 100) / 10,
    shipping: viewForDriver(row, false),
  }));
}

/**
 * The first to accept has it: the shipment's lock lets one in after the other, and the second finds it taken. Asked
 * again by who has it already, it is no error, since an answer may get lost on the way to a phone.
 */
export async function acceptOffer(
  { db, jobs, config }: Offering,
  driverId: string,
  shipmentId: string,
  channel: SpokenChannel,
  now: Date,
): Promise<void> {
  const { accountId } = (await latestOffer(db, driverId, shipmentId)) ?? refuseAsUnknownRun();
  const { timeZone, dispatch } = config;
  await db.transaction().execute(async (tx) => {
    const shipment = (await lockShipment(tx, accountId, shipmentId)) ?? refuseAsUnknownRun();
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    const offer = await latestOffer(tx, driverId, shipmentId);
    if (shipment.driverId === driverId && shipment.status === 'assigned' && offer?.answer === 'accepted') return;
    if (shipment.status !== 'created' || !search || offer?.answer !== null || offer.expiresAt <= now) {
      return refuseDriver('OFFER_GONE');
    }
    if (!(await canTakeAnother(tx, driverId, dispatch.runsPerDriver))) refuseDriver('TOO_MANY_RUNS');
    await changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'assign', channel, driverId, now, timeZone });
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
  });
}

/** When everybody who was asked has said no, the next wave goes out at once. */
export async function refuseOffer(
  { db, jobs }: Offering,
  driverId: string,
  shipmentId: string,
  now: Date,
): Promise<void> {
  const { accountId } = (await latestOffer(db, driverId, shipmentId)) ?? refuseAsUnknownRun();
  await db.transaction().execute(async (tx) => {
    const search = await lockActiveSearch(tx, accountId, shipmentId);
    const refused = search ? await answerOffers(tx, search, 'refused', now, driverId) : [];
    if (!search || refused.length === 0) {
      const offer = await latestOffer(tx, driverId, shipmentId);
      return offer?.answer === 'refused' ? undefined : refuseDriver('OFFER_GONE');
    }
    if (!(await hasOpenOffers(tx, search))) await jobs.send(tx, searchDriverJob, { accountId, shipmentId });
  });
}

/** A driver knows a shipment of any account by the offer they got. */
async function latestOffer(db: Database | Tx, driverId: string, shipmentId: string) {
  if (!isUuid(shipmentId)) return undefined;
  return db
    .selectFrom('driver_offers')
    .select(['account_id as accountId', 'answer', 'expires_at as expiresAt', 'metres'])
    .where('driver_id', '=', driverId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('offered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
