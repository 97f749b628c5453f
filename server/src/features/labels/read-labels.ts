import { timingSafeEqual } from 'node:crypto';
import type { Shipment } from '@navette/contract';
import type pg from 'pg';
import { isUuid } from '../../uuid.ts';
import { isReferenceNumber } from '../shipments/index.ts';
import { localDay } from '../slots/index.ts';
import type { Label } from './label.ts';

export interface StoredLabel {
  label: Label;
  /** Its public name, which nobody can guess. */
  fileName: string;
}

type PickupAddress = Shipment['pickupAddress'];
type DeliveryAddress = Shipment['deliveryAddress'];

interface Row {
  id: string;
  reference_number: string;
  label_suffix: string;
  status: string;
  is_collection: boolean;
  pickup_address: PickupAddress;
  delivery_address: DeliveryAddress;
  contact_name: string | null;
  weight: number;
  nature: string;
  notes: string | null;
  order_id: string | null;
  scheduled_date: string | null;
  time_slot: string | null;
  activate_at: Date | null;
  created_at: Date;
  account_name: string;
}

const COLUMNS = `
  s.id, s.reference_number, s.label_suffix, s.status, s.is_collection, s.pickup_address, s.delivery_address,
  s.collection_contact->>'name' as contact_name, s.weight, s.nature, s.notes, s.order_id,
  s.scheduled_date::text as scheduled_date, s.time_slot, s.activate_at, s.created_at, a.name as account_name`;

/** Of one account, in the order asked for; null where an id is malformed, unknown or foreign. */
export async function readLabels(
  pool: pg.Pool,
  accountId: string,
  shipmentIds: string[],
  timeZone: string,
): Promise<(StoredLabel | null)[]> {
  const { rows } = await pool.query<Row>({
    name: 'labels-by-id',
    text: `select ${COLUMNS} from shipments s join accounts a on a.id = s.account_id
           where s.account_id = $1 and s.id = any($2::uuid[])`,
    values: [accountId, shipmentIds.filter(isUuid)],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return shipmentIds.map((id) => {
    const row = byId.get(id.toLowerCase());
    return row ? toStoredLabel(row, timeZone) : null;
  });
}

const FILE_NAME = /^bordereau_([^_]{1,20})_([0-9a-f]{32})\.pdf$/;

/** Of whichever account: who knows the name of the file may see it. */
export async function findLabelByFileName(
  pool: pg.Pool,
  fileName: string,
  timeZone: string,
): Promise<StoredLabel | null> {
  const [, referenceNumber = '', suffix = ''] = FILE_NAME.exec(fileName) ?? [];
  if (!isReferenceNumber(referenceNumber)) return null;
  const { rows } = await pool.query<Row>({
    name: 'label-by-reference',
    text: `select ${COLUMNS} from shipments s join accounts a on a.id = s.account_id where s.reference_number = $1`,
    values: [referenceNumber],
  });
  const [row] = rows;
  if (!row || !timingSafeEqual(Buffer.from(suffix), Buffer.from(row.label_suffix))) return null;
  return toStoredLabel(row, timeZone);
}

function toStoredLabel(row: Row, timeZone: string): StoredLabel {
  const { pickup_address: from, delivery_address: to } = row;
  return {
    fileName: `bordereau_${row.reference_number}_${row.label_suffix}.pdf`,
    label: {
      referenceNumber: row.reference_number,
      isCancelled: row.status === 'cancelled',
      isCollection: row.is_collection,
      // A collection starts at the merchant's customer, who may have given no name.
      sender: toPlace(row.is_collection ? (row.contact_name ?? '') : row.account_name, from),
      recipient: { ...toPlace(to.recipientName, to), phoneNumber: to.phoneNumber },
      weight: row.weight,
      nature: row.nature,
      notes: row.notes,
      orderId: row.order_id,
      service: serviceOf(row),
      createdOn: localDay(row.created_at, timeZone),
    },
  };
}

const toPlace = (name: string, { street, postalCode, city, country }: PickupAddress | DeliveryAddress) => ({
  name,
  street,
  postalCode,
  city,
  country,
});

function serviceOf({ scheduled_date: date, time_slot: slot, activate_at: activateAt }: Row): Label['service'] {
  if (date !== null && slot !== null) return { kind: 'slot', date, slot };
  return activateAt === null ? { kind: 'express' } : { kind: 'agreed' };
}
