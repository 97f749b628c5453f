import type { Language, MessageKind, Shipment, SignerRelation } from '@navette/contract';
import { countSegments } from '../../adapters/sms/sms-parts.ts';
import type { Config } from '../../config.ts';
import { signReference } from '../shipments/index.ts';
import type { EmailFacts, EmailKind } from './email-facts.ts';
import { writeEmail } from './email-texts.ts';
import { createMessageTimes } from './message-times.ts';
import { readSmsNumber, type SmsRefusal } from './phone-number.ts';
import { collectionSms, recipientSms, soonSms } from './sms-texts.ts';

export type MessageSettings = Pick<Config, 'linkSecrets' | 'publicUrl' | 'smsCountries' | 'timeZone'>;

export interface ShipmentToAnnounce {
  referenceNumber: string;
  merchantName: string;
  /** Null: French, as nobody chose one. */
  language: Language | null;
  shop: { email: string | null; phone: string | null };
  isExpress: boolean;
  isCollection: boolean;
  slotStartsAt: Date | null;
  slotEndsAt: Date | null;
  timeSlot: string | null;
  pickupAddress: Shipment['pickupAddress'];
  deliveryAddress: Shipment['deliveryAddress'];
  collectionContact: { phoneNumber: string; email: string; name: string | null } | null;
  delivery: { at: Date; isConfirmedByOperator: boolean; hasPhoto: boolean; signer: SignerRelation | null } | null;
}

/** Facts of a message that are not in the shipment. */
export interface Occasion {
  /** Of a `zone-email`: why no driver is sent for now, in the operator's words. */
  notice?: ZoneNotice;
  /** When the driver is expected. */
  arrival?: { from: Date; until: Date } | null;
  /** Of a `soon-sms`: until the arrival. */
  minutes?: number;
}

export interface ZoneNotice {
  text: string;
  until: Date;
}

export interface ComposedMessage {
  channel: 'sms' | 'email';
  recipient: string;
  subject: string | null;
  body: string;
  html: string | null;
  segments: number | null;
  status: 'pending' | 'failed';
  failure: SmsRefusal | null;
}

/** Of a collection these go to the customer whose parcel is picked up, not to the merchant's workshop. */
const TO_CONTACT: readonly MessageKind[] = ['booked-email', 'delivered-email', 'cancelled-email'];

/** Pure: the addressee and the text. An SMS that must not be sent is stored as failed, so that the operator sees it. */
export function composeMessage(
  kind: MessageKind,
  shipment: ShipmentToAnnounce,
  settings: MessageSettings,
  occasion: Occasion = {},
): ComposedMessage {
  const toContact = kind.startsWith('collection') || (shipment.isCollection && TO_CONTACT.includes(kind));
  const contact = toContact ? shipment.collectionContact : shipment.deliveryAddress;
  if (!contact) throw new Error('a collection has no contact');
  const language = shipment.language ?? 'fr';
  const times = createMessageTimes(language, settings.timeZone);
  const link = linkFor(toContact, shipment, settings);

  if (isSms(kind)) {
    const place = toContact ? shipment.pickupAddress : shipment.deliveryAddress;
    const { number, refusal } = readSmsNumber(contact.phoneNumber, place, settings.smsCountries);
    const facts = { ...shipment, link, slot: times.slot(shipment, 'short'), minutes: occasion.minutes ?? null };
    const body = SMS_TEXTS[kind](facts, language);
    return {
      ...{ channel: 'sms', recipient: number ?? contact.phoneNumber, subject: null, body, html: null },
      segments: countSegments(body),
      ...{ status: refusal ? 'failed' : 'pending', failure: refusal },
    };
  }
  const { subject, text, html } = writeEmail(kind, emailFacts(shipment, link, times, occasion), language);
  return {
    ...{ channel: 'email', recipient: contact.email, subject, body: text, html },
    ...{ segments: null, status: 'pending', failure: null },
  };
}

const SMS_TEXTS = { 'recipient-sms': recipientSms, 'collection-sms': collectionSms, 'soon-sms': soonSms };

const isSms = (kind: MessageKind): kind is Exclude<MessageKind, EmailKind> => kind.endsWith('sms');

function emailFacts(
  shipment: ShipmentToAnnounce,
  link: string,
  times: ReturnType<typeof createMessageTimes>,
  { notice, arrival }: Occasion,
): EmailFacts {
  const { merchantName, referenceNumber, isCollection, collectionContact, delivery, shop } = shipment;
  const { street, postalCode, city } = shipment.pickupAddress;
  const waysToReach = [shop.email, shop.phone?.replaceAll(' ', '\u00a0')].filter(Boolean); // no line break within the number
  return {
    ...{ merchantName, referenceNumber, isCollection, link },
    shopContact: waysToReach.length > 0 ? `${merchantName} (${waysToReach.join(', ')})` : merchantName,
    slot: times.slot(shipment, 'long')?.replaceAll('-', '\u2011') ?? null, // no line break within the slot
    contactName: collectionContact?.name ?? null,
    pickupPlace: `${street}, ${postalCode} ${city}`,
    zone: notice ? { text: notice.text, until: times.moment(notice.until) } : null,
    arrival: arrival ? `${times.time(arrival.from)}–${times.time(arrival.until)}` : null,
    delivery: delivery && { ...delivery, at: times.moment(delivery.at) },
  };
}

/**
 * The contact of a collection gets a link without the delivery code, which is for the recipient only. Where a language was
 * chosen, the page opens in it.
 */
function linkFor(
  toContact: boolean,
  { referenceNumber, language }: ShipmentToAnnounce,
  { publicUrl, linkSecrets }: MessageSettings,
) {
  const page = `${publicUrl}/t/${signReference(linkSecrets, toContact ? 'collect' : 'track', referenceNumber)}`;
  return language ? `${page}?lang=${language}` : page;
}
