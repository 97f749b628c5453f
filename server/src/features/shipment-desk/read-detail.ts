import type { ShipmentDetail, ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { listShipmentMessages } from '../messages/index.ts';
import { type ShipmentReader, transition } from '../shipments/index.ts';
import { listShipmentDeliveries } from '../webhooks/index.ts';
import { type Charged, explainCharge } from './explain-charge.ts';
import { labelUrlOf } from './list-shipments.ts';

interface Document extends Charged {
  status: ShipmentStatus;
  statusHistory: { status: ShipmentStatus; at: string }[];
}

interface DetailSources {
  db: Database;
  reader: ShipmentReader;
  accounts: AccountDirectory;
  timeZone: string;
}

/** A shipment with all that happened to it, as JSON text: the document is the public API's own, byte for byte. */
export async function readDetail(
  { db, reader, accounts, timeZone }: DetailSources,
  accountId: string,
  shipmentId: string,
): Promise<string> {
  const document = await reader.documentById(accountId, shipmentId);
  const [account, cancellation, deliveries, messages] = await Promise.all([
    accounts.settingsOf(accountId),
    readCancellation(db, accountId, shipmentId),
    listShipmentDeliveries(db, accountId, shipmentId),
    listShipmentMessages(db, accountId, shipmentId),
  ]);
  const shipment = JSON.parse(document) as Document;
  const around: ShipmentDetail = {
    timeline: shipment.statusHistory.map((step) => ({
      ...step,
      reason: step.status === 'cancelled' ? (cancellation?.reason ?? null) : null,
      by: step.status === 'cancelled' ? (cancellation?.by ?? null) : null,
    })),
    deliveries: deliveries.map(({ createdAt, settledAt, ...delivery }) => ({
      ...delivery,
      createdAt: createdAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
    })),
    messages,
    priceSteps: explainCharge(shipment, account, timeZone),
    mayCancel: transition(shipment.status, 'cancel', 'http') !== null,
    labelUrl: labelUrlOf(shipmentId),
  };
  return `{"success":true,"shipment":${document},${JSON.stringify(around).slice(1)}`;
}

async function readCancellation(db: Database, accountId: string, shipmentId: string) {
  return db
    .selectFrom('shipments')
    .select(['cancel_reason as reason', 'cancelled_by as by'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirst();
}
