import type { Shipment } from '@navette/contract';
import { countSegments } from '../../adapters/sms/sms-parts.ts';
import type { Config } from '../../config.ts';
import { signReference } from '../shipments/index.ts';
import type { MessageKind } from './due-messages.ts';
import { collectionEmail, recipientEmail } from './email-texts.ts';
import { readSmsNumber, type SmsRefusal } from './phone-number.ts';
import { collectionSms, recipientSms } from './sms-texts.ts';

export type MessageSettings = Pick<Config, 'linkSecrets' | 'publicUrl' | 'smsCountries' | 'timeZone'>;

export interface ShipmentToAnnounce {
  referenceNumber: string;
  merchantName: string;
  isExpress: boolean;
  isCollection: boolean;
  slotStartsAt: Date | null;
  timeSlot: string | null;
  pickupAddress: Shipment['pickupAddress'];
  deliveryAddress: Shipment['deliveryAddress'];
  collectionContact: { phoneNumber: string; email: string; name: string | null } | null;
}

interface ComposedMessage {
  channel: 'sms' | 'email';
  recipient: string;
  subject: string | null;
  body: string;
  html: string | null;
  segments: number | null;
  status: 'pending' | 'failed';
  failure: SmsRefusal | null;
}

/** Pure: the addressee and the text. An SMS that must not be sent is stored as failed, so that the operator sees it. */
export function composeMessage(
  kind: MessageKind,
  shipment: ShipmentToAnnounce,
  settings: MessageSettings,
): ComposedMessage {
  const toContact = kind.startsWith('collection');
  const contact = toContact ? shipment.collectionContact : shipment.deliveryAddress;
  if (!contact) throw new Error('a collection has no contact');
  const facts = { ...shipment, link: linkFor(toContact, shipment, settings) };

  if (kind.endsWith('sms')) {
    const place = toContact ? shipment.pickupAddress : shipment.deliveryAddress;
    const { number, refusal } = readSmsNumber(contact.phoneNumber, place, settings.smsCountries);
    const smsFacts = { ...facts, slot: slotIn(shipment, settings.timeZone, 'short') };
    const body = toContact ? collectionSms(smsFacts) : recipientSms(smsFacts);
    return {
      ...{ channel: 'sms', recipient: number ?? contact.phoneNumber, subject: null, body, html: null },
      segments: countSegments(body),
      ...{ status: refusal ? 'failed' : 'pending', failure: refusal },
    };
  }
  const { street, postalCode, city } = shipment.pickupAddress;
  const emailFacts = {
    ...facts,
    slot: slotIn(shipment, settings.timeZone, 'long')?.replaceAll('-', '\u2011') ?? null, // no line break within the slot
    contactName: shipment.collectionContact?.name ?? null,
    pickupPlace: `${street}, ${postalCode} ${city}`,
  };
  const { subject, text, html } = toContact ? collectionEmail(emailFacts) : recipientEmail(emailFacts);
  return {
    ...{ channel: 'email', recipient: contact.email, subject, body: text, html },
    ...{ segments: null, status: 'pending', failure: null },
  };
}

/** The contact of a collection gets a link without the delivery code, which is for the recipient only. */
function linkFor(
  toContact: boolean,
  { referenceNumber }: ShipmentToAnnounce,
  { publicUrl, linkSecrets }: MessageSettings,
) {
  return `${publicUrl}/t/${signReference(linkSecrets, toContact ? 'collect' : 'track', referenceNumber)}`;
}

function slotIn(
  { slotStartsAt, timeSlot }: ShipmentToAnnounce,
  timeZone: string,
  length: 'short' | 'long',
): string | null {
  if (!slotStartsAt || !timeSlot) return null;
  const day = new Intl.DateTimeFormat('fr-FR', { weekday: length, day: 'numeric', month: length, timeZone });
  return `${day.format(slotStartsAt)}, ${timeSlot}`;
}
