import { sql } from 'kysely';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import { toClock } from '../accounts/index.ts';
import type { Arrival, Arrivals } from '../arrival/index.ts';
import { type AnnouncedShipment, findAnnouncedShipments, wantedMessages } from './announced-shipments.ts';
import type { MessageSettings } from './compose-message.ts';
import { isUpToDate } from './due-messages.ts';
import type { MessageMetrics } from './message-metrics.ts';
import { insertMessages, type NewMessage, newMessage } from './write-messages.ts';

export interface AnnounceArrivalsContext {
  db: Database;
  jobs: JobSender;
  config: MessageSettings;
  arrivals: Arrivals;
  metrics: MessageMetrics;
}

const STOPS = 200; // in one transaction
const SOON_MS = 12.5 * 60_000; // rounds to ten minutes
const MINUTE_MS = 60_000;

/**
 * Messages to recipients who are their driver's next stop: the e-mail at once, the SMS when the driver is about ten minutes
 * away. Runs every minute and writes what is missing, so a killed run loses nothing, and the unique index of messages
 * prevents a second one.
 */
export async function announceArrivals(context: AnnounceArrivalsContext, now: Date): Promise<void> {
  const { db, jobs, config, arrivals, metrics } = context;
  const stops = await listAnyUnannouncedStops(db);
  for (let i = 0; i < stops.length; i += STOPS) {
    const some = stops.slice(i, i + STOPS);
    const expected = await arrivals.ofDrivers(
      some.map(({ driverId }) => driverId),
      now,
    );
    const { refused } = await db.transaction().execute(async (tx) => {
      const changes = some.map(
        ({ accountId, shipmentId }): ShipmentChange => ({ accountId, shipmentId, status: 'in_transit', eventId: null }),
      );
      const rows = await findAnnouncedShipments(tx, changes);
      const messages = rows.flatMap((row) => dueMessages(row, expected.get(row.id) ?? null, config, now));
      return insertMessages(tx, jobs, messages);
    });
    for (const reason of refused) metrics.refused(reason);
  }
}

function dueMessages(
  row: AnnouncedShipment,
  arrival: Arrival | null,
  settings: MessageSettings,
  now: Date,
): NewMessage[] {
  if (!isUpToDate('next-email', row.status)) return [];
  const wanted = wantedMessages(row);
  const away = arrival && arrival.expected.getTime() - accountTime(toClock(row), now).getTime();
  const isSoon = away !== null && away < SOON_MS;
  return [
    ...(wanted.has('next-email') ? [newMessage('next-email', row, settings, { arrival }, now)] : []),
    ...(wanted.has('soon-sms') && isSoon
      ? [newMessage('soon-sms', row, settings, { minutes: roundMinutes(away) }, now)]
      : []),
  ];
}

/** Five or ten: nobody can tell the minute. */
const roundMinutes = (away: number) => Math.max(5, Math.round(away / MINUTE_MS / 5) * 5);

interface Stop {
  accountId: string;
  shipmentId: string;
  driverId: string;
}

/** The next stop of every driver, as on the recipient's page, if a message about it may be missing. */
async function listAnyUnannouncedStops(db: Database): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    with next as (
      select distinct on (driver_id) account_id, id, driver_id from shipments
      where driver_id is not null and status = 'in_transit' and returned_at is null
      order by driver_id, departed_at, id
    )
    select n.account_id as "accountId", n.id as "shipmentId", n.driver_id as "driverId"
    from next n left join message_settings o on o.account_id = n.account_id
    where ${servedHere('n.account_id')} and ((not 'next-email' = any(coalesce(o.off, '{}')) and not exists (
        select from messages m where (m.account_id, m.shipment_id, m.kind) = (n.account_id, n.id, 'next-email')))
      or (coalesce(o.soon_sms, false) and not exists (
        select from messages m where (m.account_id, m.shipment_id, m.kind) = (n.account_id, n.id, 'soon-sms'))))
    order by n.id`.execute(db);
  return rows;
}
