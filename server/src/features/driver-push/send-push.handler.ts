import type { DriverPushMessage, ShipmentStatus } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { PushClient, PushMessage } from '../../adapters/push/push-client.ts';
import type { Database } from '../../database/database.ts';
import type { DevicePush } from '../../jobs/definitions.ts';
import type { PushMetrics } from './push-metrics.ts';
import { changedTexts, offerTexts, withdrawnTexts } from './push-texts.ts';

export interface PushContext {
  db: Database;
  /** Null when the service has no VAPID key. */
  client: PushClient | null;
  metrics: PushMetrics;
  log: FastifyBaseLogger;
}

const WITHDRAWN_TTL_SECONDS = 60; // the offer that it replaces has ended anyway
const CHANGED_TTL_SECONDS = 4 * 3_600; // half a working day

/** Sends the current state, not the state when the job was enqueued: an offer that has ended since is not sent. */
export async function sendPush({ db, client, metrics, log }: PushContext, job: DevicePush, now: Date): Promise<void> {
  if (!client) return;
  const device = await findDevice(db, job.sessionId, now);
  const message = device && (await composeMessage(db, device.driverId, job, now));
  if (!device || !message) return;
  const { tokenHash, endpoint, p256dh, auth } = device;
  const outcome = await client.send({ endpoint, p256dh, auth }, message, now);
  metrics.attempted(job.push, outcome.kind);
  if (outcome.kind === 'gone') {
    // Only this endpoint: the app may have subscribed again meanwhile.
    await db
      .deleteFrom('driver_push_subscriptions')
      .where('token_hash', '=', tokenHash)
      .where('endpoint', '=', endpoint)
      .execute();
  }
  if (outcome.kind === 'refused') {
    log.warn({ session: job.sessionId, push: job.push, reason: outcome.reason }, 'push message refused');
  }
  if (outcome.kind === 'postponed') throw new Error(`push message postponed: ${outcome.reason}`);
}

/** The subscription of an open session of an enabled driver. */
const findDevice = (db: Database, sessionId: string, now: Date) =>
  db
    .selectFrom('driver_push_subscriptions as p')
    .innerJoin('driver_sessions as s', 's.token_hash', 'p.token_hash')
    .innerJoin('drivers as d', 'd.id', 's.driver_id')
    .select(['p.token_hash as tokenHash', 'p.endpoint', 'p.p256dh', 'p.auth', 'd.id as driverId'])
    .where('s.id', '=', sessionId)
    .where('s.closed_at', 'is', null)
    .where('s.expires_at', '>', now)
    .where('d.disabled_at', 'is', null)
    .executeTakeFirst();

/** Null when there is nothing to send any more. */
async function composeMessage(
  db: Database,
  driverId: string,
  { accountId, shipmentId, push }: DevicePush,
  now: Date,
): Promise<PushMessage | null> {
  const shipment = await db
    .selectFrom('shipments')
    .select(['reference_number', 'status', 'driver_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
  if (!shipment) return null;
  const offer = await db
    .selectFrom('driver_offers')
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('driver_id', '=', driverId)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const { reference_number: referenceNumber, status } = shipment;
  const toMessage = (
    type: DriverPushMessage['type'],
    texts: Pick<DriverPushMessage, 'title' | 'body'>,
    ttlSeconds: number,
  ): PushMessage => ({
    payload: { type, shippingId: shipmentId, referenceNumber, ...texts } satisfies DriverPushMessage,
    ttlSeconds,
    topic: shipmentId.replaceAll('-', ''),
  });
  if (push === 'offer') {
    const seconds = offer ? Math.ceil((offer.expires_at.getTime() - now.getTime()) / 1_000) : 0;
    return offer ? toMessage('offer', offerTexts(referenceNumber), seconds) : null;
  }
  if (push === 'offer-withdrawn') {
    return offer ? null : toMessage('withdrawn', withdrawnTexts(referenceNumber), WITHDRAWN_TTL_SECONDS);
  }
  const texts = changedTexts(referenceNumber, status as ShipmentStatus, shipment.driver_id === driverId);
  return toMessage('changed', texts, CHANGED_TTL_SECONDS);
}
