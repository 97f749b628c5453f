import type { ShipmentDetail, ShipmentStatus } from '@navette/contract';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { AccountDirectory } from '../accounts/index.ts';
import { type Arrivals, presentArrival } from '../arrival/index.ts';
import { listShipmentIncidents } from '../incidents/index.ts';
import { listShipmentMessages } from '../messages/index.ts';
import { listShipmentProofs } from '../proofs/index.ts';
import { listShipmentReports } from '../recipient-reports/index.ts';
import { type ShipmentReader, transition } from '../shipments/index.ts';
import { listShipmentDeliveries } from '../webhooks/index.ts';
import { type ChargedShipment, explainCharge } from './explain-charge.ts';
import { labelUrlOf } from './list-shipment-lines.ts';
import { shareUrlOf, type TrackingLinks } from './share-url.ts';

interface Document extends ChargedShipment {
  status: ShipmentStatus;
  statusHistory: { status: ShipmentStatus; at: string }[];
  pickupTime: string | null;
  deliveryTime: string | null;
}

interface DetailSources {
  db: Database;
  reader: ShipmentReader;
  accounts: AccountDirectory;
  config: TrackingLinks & Pick<Config, 'timeZone' | 'operatorPhone'>;
  arrivals: Arrivals;
  /** The role may see what the recipient wrote for the driver. */
  showsRecipientNote: boolean;
  now: Date;
}

/** A shipment with its timeline, deliveries and messages, as JSON text. The document is the public API's, byte for byte. */
export async function readDetail(
  { db, reader, accounts, config, arrivals, showsRecipientNote, now }: DetailSources,
  accountId: string,
  shipmentId: string,
): Promise<string> {
  const document = await reader.documentById(accountId, shipmentId);
  const [account, other, deliveries, messages, incidents, proofs, reports] = await Promise.all([
    accounts.settingsOf(accountId),
    readOtherColumns(db, accountId, shipmentId),
    listShipmentDeliveries(db, accountId, shipmentId),
    listShipmentMessages(db, accountId, shipmentId, now),
    listShipmentIncidents(db, accountId, shipmentId),
    listShipmentProofs(db, accountId, shipmentId),
    listShipmentReports(db, accountId, shipmentId),
  ]);
  const shipment = JSON.parse(document) as Document;
  const expected = await arrivals.ofDrivers(other?.driverId ? [other.driverId] : [], now);
  const detail: ShipmentDetail = {
    timeline: shipment.statusHistory.map((step) => ({
      ...step,
      doneAt: doneEarlier(shipment, step),
      reason: step.status === 'cancelled' ? (other?.reason ?? null) : null,
      by: step.status === 'cancelled' ? (other?.by ?? null) : null,
    })),
    deliveries: deliveries.map(({ createdAt, settledAt, ...delivery }) => ({
      ...delivery,
      createdAt: createdAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
    })),
    messages,
    incidents,
    proofs,
    recipientNote: showsRecipientNote ? (other?.recipientNote ?? null) : null,
    reports,
    priceSteps: explainCharge(shipment, account, config.timeZone),
    arrival: presentArrival(expected.get(shipmentId)),
    shareUrl: other
      ? shareUrlOf(config, { ...other, isErased: other.erasedAt !== null }, accountTime(account.clock, now))
      : null,
    operatorPhone: other?.driverId && !other.endedAt && config.operatorPhone ? config.operatorPhone : null,
    recurringId: other?.recurringId ?? null,
    personalDataErasedAt: other?.erasedAt?.toISOString() ?? null,
    mayCancel: transition(shipment.status, 'cancel', 'http') !== null,
    labelUrl: labelUrlOf(shipmentId),
  };
  return `{"success":true,"shipment":${document},${JSON.stringify(detail).slice(1)}`;
}

const NOTABLE_DELAY_MS = 60_000; // an ordinary request takes less

/** The time of a step that the phone sent later, because it had no network; null for all others. */
function doneEarlier(shipment: Document, { status, at }: Document['statusHistory'][number]): string | null {
  const doneAt = { picked_up: shipment.pickupTime, delivered: shipment.deliveryTime }[status as string] ?? null;
  return doneAt && Date.parse(at) - Date.parse(doneAt) > NOTABLE_DELAY_MS ? doneAt : null;
}

/** Columns that the document does not contain. */
async function readOtherColumns(db: Database, accountId: string, shipmentId: string) {
  return db
    .selectFrom('shipments as s')
    .leftJoin('recipient_notes as n', (join) =>
      join.onRef('n.account_id', '=', 's.account_id').onRef('n.shipment_id', '=', 's.id'),
    )
    .select(['s.cancel_reason as reason', 's.cancelled_by as by', 's.personal_data_erased_at as erasedAt'])
    .leftJoin('recurring_occurrences as o', (join) =>
      join.onRef('o.account_id', '=', 's.account_id').onRef('o.shipment_id', '=', 's.id'),
    )
    .select(['s.driver_id as driverId', 'n.note as recipientNote', 'o.schedule_id as recurringId'])
    .select(['s.reference_number as referenceNumber'])
    .select((eb) => eb.fn.coalesce('s.delivered_at', 's.cancelled_at').as('endedAt'))
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', shipmentId)
    .executeTakeFirst();
}
