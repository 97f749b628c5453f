import {
  HANDOVER_MINUTES,
  LANGUAGES,
  type Language,
  type MessageKind,
  OPTIONAL_MESSAGES,
  type OptionalMessage,
  type Shipment,
  type ShipmentStatus,
  type SignerRelation,
} from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import type { ShipmentToAnnounce } from './compose-message.ts';

export interface AnnouncedShipment {
  changed_to: ShipmentStatus;
  account_id: string;
  id: string;
  status: ShipmentStatus;
  initial_status: ShipmentStatus;
  is_announced: boolean;
  /** Kinds of messages that exist already. */
  written: MessageKind[];
  reference_number: string;
  merchant_name: string;
  is_test: boolean;
  /** The account's own budget of SMS, if it has one. */
  sms_per_day: number | null;
  clock_ahead_ms: number;
  clock_held_at: Date | null;
  language: Language | null;
  locale: string | null;
  off: string[] | null;
  soon_sms: boolean | null;
  shop_email: string | null;
  shop_phone: string | null;
  is_collection: boolean;
  slot_starts_at: Date | null;
  slot_ends_at: Date | null;
  time_slot: string | null;
  pickup_address: Shipment['pickupAddress'];
  delivery_address: Shipment['deliveryAddress'];
  collection_contact: ShipmentToAnnounce['collectionContact'];
  delivered_at: Date | null;
  is_confirmed_by_operator: boolean;
  has_photo: boolean;
  signer: SignerRelation | null;
}

const OF_HANDOVER = sql`f.taken_at >= s.delivered_at - make_interval(mins => ${HANDOVER_MINUTES})`;

/**
 * Shipments of these changes, with everything that their messages need. A message that left before a cancellation was
 * written before it, so `is_announced` misses none; one that is dropped meanwhile counts too, which is harmless.
 */
export async function findAnnouncedShipments(tx: Tx, changes: ShipmentChange[]): Promise<AnnouncedShipment[]> {
  const { rows } = await sql<AnnouncedShipment>`
    select c.status as changed_to, s.account_id, s.id, s.status, s.status_history->0->>'status' as initial_status,
           c.status = 'cancelled' and exists (
             select from messages m where (m.account_id, m.shipment_id) = (s.account_id, s.id)
               and (m.sent_at is not null or m.status not in ('failed', 'dropped'))
               and (not s.is_collection or m.kind in ('booked-email', 'collection-sms', 'collection-email'))
           ) as is_announced,
           array(select m.kind from messages m where (m.account_id, m.shipment_id) = (s.account_id, s.id)) as written,
           s.reference_number, a.name as merchant_name, a.live_account_id is not null as is_test,
           a.sms_per_day, a.clock_ahead_ms, a.clock_held_at, o.language, s.metadata->>'locale' as locale, o.off, o.soon_sms,
           p.contact_email as shop_email, p.contact_phone as shop_phone,
           s.is_collection, s.slot_starts_at, s.estimated_delivery_at as slot_ends_at, s.time_slot,
           s.pickup_address, s.delivery_address, s.collection_contact,
           s.delivered_at, s.delivery_reason is not null as is_confirmed_by_operator,
           c.status = 'delivered' and exists (select from proofs f
             where (f.account_id, f.shipment_id, f.kind) = (s.account_id, s.id, 'photo') and ${OF_HANDOVER}) as has_photo,
           case when c.status = 'delivered' then (select f.signer_relation from proofs f
             where (f.account_id, f.shipment_id, f.kind) = (s.account_id, s.id, 'signature') and ${OF_HANDOVER}
             order by f.taken_at desc limit 1) end as signer
    from json_to_recordset(${JSON.stringify(changes)}) as c ("accountId" uuid, "shipmentId" uuid, status text)
    join shipments s on (s.account_id, s.id) = (c."accountId", c."shipmentId")
    join accounts a on a.id = s.account_id
    left join message_settings o on o.account_id = s.account_id
    left join shop_pages p on p.account_id = s.account_id
  `.execute(tx);
  return rows;
}

export const toAnnounce = (row: AnnouncedShipment): ShipmentToAnnounce => ({
  referenceNumber: row.reference_number,
  merchantName: row.merchant_name,
  language: readLocale(row.locale) ?? row.language,
  shop: { email: row.shop_email, phone: row.shop_phone },
  isExpress: row.initial_status === 'created',
  isCollection: row.is_collection,
  slotStartsAt: row.slot_starts_at,
  slotEndsAt: row.slot_starts_at && row.slot_ends_at,
  timeSlot: row.time_slot,
  pickupAddress: row.pickup_address,
  deliveryAddress: row.delivery_address,
  collectionContact: row.collection_contact,
  delivery: row.delivered_at && {
    at: row.delivered_at,
    isConfirmedByOperator: row.is_confirmed_by_operator,
    hasPhoto: row.has_photo,
    signer: row.signer,
  },
});

/** `en`, `en-GB` and `en_US` are English; null for a language without messages. */
export function readLocale(locale: string | null): Language | null {
  const [language] = (locale ?? '').toLowerCase().split(/[-_]/);
  return LANGUAGES.find((one) => one === language) ?? null;
}

/** The optional messages that the merchant wants: all but the second SMS, unless chosen otherwise. */
export const wantedMessages = ({
  off,
  soon_sms,
}: Pick<AnnouncedShipment, 'off' | 'soon_sms'>): ReadonlySet<OptionalMessage> =>
  new Set(OPTIONAL_MESSAGES.filter((kind) => (kind === 'soon-sms' ? (soon_sms ?? false) : !off?.includes(kind))));
