import type { Language, MessageKind } from '@navette/contract';
import type { ComposedMessage, MessageSettings, Occasion, ShipmentToAnnounce } from './compose-message.ts';
import { composeMessage } from './compose-message.ts';
import { PICKUP_QR } from './email-facts.ts';
import { qrPng } from './qr-png.ts';

/** Messages that a merchant can look at. The operator writes those about zones. */
export type PreviewedKind = Exclude<MessageKind, 'zone-email'>;

export interface Sender {
  merchantName: string;
  shop: ShipmentToAnnounce['shop'];
}

const REFERENCE = 'EXEMPLE'; // no shipment can have it
const OCCASION: Occasion = {
  arrival: { from: new Date('2031-03-05T13:35:00Z'), until: new Date('2031-03-05T13:50:00Z') },
  minutes: 10,
};

/** A message about an invented shipment of this merchant. Its link is signed with no real key. */
export function previewMessage(
  kind: PreviewedKind,
  language: Language,
  { merchantName, shop }: Sender,
  { publicUrl, timeZone }: Pick<MessageSettings, 'publicUrl' | 'timeZone'>,
  isCollection = kind.startsWith('collection'),
): ComposedMessage {
  const address = { street: '12 rue Sainte-Anne', city: 'Paris', postalCode: '75001', country: 'France' };
  const contact = { phoneNumber: '+33612345678', email: 'camille@example.org' };
  const shipment: ShipmentToAnnounce = {
    ...{ referenceNumber: REFERENCE, merchantName, language, shop, isExpress: false, isCollection },
    slotStartsAt: new Date('2031-03-05T13:00:00Z'),
    slotEndsAt: new Date('2031-03-05T15:00:00Z'),
    timeSlot: '14h-16h',
    pickupAddress: { ...address, location: null },
    deliveryAddress: { ...address, ...contact, recipientName: 'Camille Durand', coordinates: null },
    collectionContact: { ...contact, name: 'Camille Durand' },
    delivery: {
      ...{ at: new Date('2031-03-05T13:42:00Z'), isConfirmedByOperator: false },
      ...{ hasPhoto: true, signer: 'recipient' },
    },
  };
  const settings = { publicUrl, timeZone, linkSecrets: [REFERENCE], smsCountries: ['FR'] };
  return composeMessage(kind, shipment, settings, OCCASION);
}

/** The HTML part as one document: the picture is in it instead of an attachment. */
export function previewPage({ html }: ComposedMessage): string | null {
  return html?.replace(`cid:${PICKUP_QR}`, `data:image/png;base64,${qrPng(REFERENCE).toString('base64')}`) ?? null;
}
