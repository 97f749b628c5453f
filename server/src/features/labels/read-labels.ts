import { timingSafeEqual } from 'node:crypto';
import type { Shipment } from '@navette/contract';
import type pg from 'pg';
import { localDay } from '../../calendar/local-calendar.ts';
import { isUuid } from '../../database/uuid.ts';
import { isReferenceNumber } from '../shipments/index.ts';
import type { Label } from './label.ts';

export interface StoredLabel {
  accountId: string;
  label: Label;
  /** Its public name, which cannot be guessed. */
  fileName: string;
  /** The personal data was erased, and the label with it. */
  isErased: boolean;
}

type PickupAddress = Shipment['pickupAddress'];
type DeliveryAddress = Shipment['deliveryAddress'];

interface Row {
  id: string;
  account_id: string;
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
  was_programmed: boolean;
  created_at: Date;
  account_name: string;
  is_erased: boolean;
}

const COLUMNS = `
  s.id, s.account_id, s.reference_number, s.label_suffix, s.status, s.is_collection, s.pickup_address, s.delivery_address,
  s.collection_contact->>'name' as contact_name, s.weight, s.nature, s.notes, s.order_id,
  s.scheduled_date::text as scheduled_date, s.time_slot, s.status_history->0->>'status' = 'programmed' as was_programmed, s.created_at,
  a.name as account_name, s.personal_data_erased_at is not null as is_erased`;

/** Labels of one account, in the order of the ids; null for a malformed, unknown or other account's id. */
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

/** The reference number of the shipment whose label has this name; null for other files. */
export const referenceOfFile = (fileName: string): string | null => FILE_NAME.exec(fileName)?.[1] ?? null;

/** Looks across accounts: the name of the file is the permission to see it. */
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

export const labelFileNameOf = (referenceNumber: string, suffix: string) =>
  `bordereau_${referenceNumber}_${suffix}.pdf`;

function toStoredLabel(row: Row, timeZone: string): StoredLabel {
  const { pickup_address: from, delivery_address: to } = row;
  return {
    accountId: row.account_id,
    fileName: labelFileNameOf(row.reference_number, row.label_suffix),
    isErased: row.is_erased,
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

/** Uses the status at creation, so that the label does not change with the shipment's progress. */
function serviceOf({ scheduled_date: date, time_slot: slot, was_programmed: wasProgrammed }: Row): Label['service'] {
  if (date !== null && slot !== null) return { kind: 'slot', date, slot };
  return wasProgrammed ? { kind: 'agreed' } : { kind: 'express' };
}
