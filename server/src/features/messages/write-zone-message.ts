import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { findAnnouncedShipments } from './announced-shipments.ts';
import type { MessageSettings, ZoneNotice } from './compose-message.ts';
import { insertMessages, newMessage } from './write-messages.ts';

/**
 * Inserts the e-mail that tells a recipient that no driver is sent to their area for now, with the job that sends it. One
 * per shipment, however many zones it meets: the unique index prevents a second one.
 */
export async function writeZoneMessage(
  tx: Tx,
  jobs: JobSender,
  settings: MessageSettings,
  { accountId, shipmentId }: ShipmentPayload,
  notice: ZoneNotice,
): Promise<void> {
  const rows = await findAnnouncedShipments(tx, [{ accountId, shipmentId, status: 'created', eventId: null }]);
  const messages = rows.map((row) => newMessage('zone-email', row, settings, { notice }, new Date()));
  await insertMessages(tx, jobs, messages);
}
