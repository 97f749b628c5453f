import type { SignerRelation } from '@navette/contract';
import { type DeliveryFacts, type EmailTexts, PICKUP_QR } from './email-facts.ts';

const automatic = (contact: string) =>
  `This is an automatic message: replies are not read. If you have any questions, please contact ${contact}.`;
const personal = (referenceNumber: string) =>
  `Reference ${referenceNumber}. This link is personal: please do not forward it.`;
const greeting = (name: string | null) => `Hello${name ? ` ${name}` : ''},`;
const GIVE_CODE =
  'The code to give the driver is on the tracking page. Give it once you have the parcel in your hands, never before.';

const SIGNERS: Record<SignerRelation, string> = {
  recipient: 'You signed for it.',
  household: 'Someone in your household signed for it.',
  neighbour: 'A neighbour signed for it.',
  caretaker: 'The caretaker signed for it.',
  colleague: 'A colleague signed for it.',
  other: 'Someone else signed for it.',
};

const proofOf = ({ isConfirmedByOperator, hasPhoto, signer }: DeliveryFacts): string =>
  [
    isConfirmedByOperator
      ? 'The delivery was confirmed by the delivery operator.'
      : 'The delivery code was given to the driver.',
    ...(signer ? [SIGNERS[signer]] : []),
    ...(hasPhoto ? ['The driver took a photo.'] : []),
  ].join(' ');

export const ENGLISH_EMAILS: EmailTexts = {
  'recipient-email': ({ merchantName, referenceNumber, isCollection, slot, link }) => {
    const when = slot ? `Delivery expected: ${slot}.` : 'You can follow its arrival live.';
    return {
      subject: isCollection
        ? `Collection ${referenceNumber}: tracking and code`
        : `Your parcel from ${merchantName}: tracking and code`,
      preview: `${when} The code to give the driver is on the tracking page.`,
      heading: isCollection ? 'A collected parcel is being delivered to you' : 'Your parcel will be here soon',
      paragraphs: [
        isCollection
          ? `A Navette driver is delivering the parcel of collection ${referenceNumber} to you.`
          : `${merchantName} is sending you a parcel. A Navette driver will deliver it.`,
        when,
        GIVE_CODE,
      ],
      button: { label: 'Track it and see the code', link },
      small: [personal(referenceNumber), automatic(merchantName)],
    };
  },

  'zone-email': ({ merchantName, referenceNumber, zone, link }) => ({
    subject: `Your parcel from ${merchantName}: delivery delayed`,
    preview: zone?.text ?? '',
    heading: 'Your delivery is delayed',
    paragraphs: [
      zone?.text ?? '',
      `No drivers are being sent to this area for now, until ${zone?.until} at the latest. The search for a driver then resumes automatically: there is nothing you need to do.`,
    ],
    button: { label: 'Track my parcel', link },
    small: [personal(referenceNumber), automatic(merchantName)],
  }),

  // The driver may change until the pickup, so only the page names one.
  'collection-email': ({ merchantName, referenceNumber, contactName, slot, pickupPlace, link }) => ({
    subject: `A driver is coming to pick up your parcel for ${merchantName}`,
    preview: 'Show the QR code in this message to the driver.',
    heading: 'A driver is coming to pick up your parcel',
    paragraphs: [
      greeting(contactName),
      `A Navette driver is coming to pick up your parcel for ${merchantName} at this address: ${pickupPlace}.${slot ? ` Time slot: ${slot}.` : ''}`,
      'When the driver arrives, show this QR code, on screen or printed. The driver scans it, and the pickup is recorded.',
    ],
    picture: { name: PICKUP_QR, alt: 'Pickup QR code', caption: `Reference ${referenceNumber}` },
    button: { label: 'Track the collection', link },
    small: [
      'This QR code works once, for this parcel. Please do not forward it.',
      'Can’t see the image? The tracking page shows the same QR code.',
      automatic(merchantName),
    ],
  }),

  'booked-email': ({
    merchantName,
    shopContact,
    referenceNumber,
    isCollection,
    contactName,
    slot,
    pickupPlace,
    link,
  }) =>
    isCollection
      ? {
          subject: `Your collection for ${merchantName} is scheduled`,
          preview: `Pickup expected: ${slot}.`,
          heading: 'Your collection is scheduled',
          highlight: { label: 'Pickup expected', value: slot ?? '' },
          paragraphs: [
            greeting(contactName),
            `A Navette driver will pick up your parcel for ${merchantName} at this address: ${pickupPlace}.`,
            'You will receive the QR code to show as soon as the collection is assigned to a driver.',
          ],
          button: { label: 'Track the collection', link },
          small: [personal(referenceNumber), automatic(shopContact)],
        }
      : {
          subject: `Your parcel from ${merchantName}: time slot booked`,
          preview: `Delivery expected: ${slot}.`,
          heading: 'Your delivery is scheduled',
          highlight: { label: 'Delivery expected', value: slot ?? '' },
          paragraphs: [
            `${merchantName} is sending you a parcel. A Navette driver will deliver it in this time slot.`,
            'You will receive another message as soon as your parcel is assigned to a driver, with the code to give them.',
            `Does this time slot not suit you? Please contact ${shopContact}.`,
          ],
          button: { label: 'Track my parcel', link },
          small: [personal(referenceNumber), automatic(merchantName)],
        },

  'next-email': ({ merchantName, shopContact, referenceNumber, isCollection, arrival, link }) => ({
    subject: isCollection
      ? `Collection ${referenceNumber}: the parcel is nearly here`
      : `Your parcel from ${merchantName} is nearly here`,
    preview: arrival ? `Estimated arrival: ${arrival}. Have your code ready.` : 'Have your delivery code ready.',
    heading: 'You are the next stop',
    ...(arrival ? { highlight: { label: 'Estimated arrival', value: arrival } } : {}),
    paragraphs: [
      isCollection
        ? `The driver is on the way with the parcel of collection ${referenceNumber}.`
        : `The driver is on the way with your parcel from ${merchantName}.`,
      GIVE_CODE,
    ],
    button: { label: 'Track it and see the code', link },
    small: [personal(referenceNumber), automatic(shopContact)],
  }),

  'delivered-email': ({ merchantName, shopContact, referenceNumber, isCollection, delivery, link }) =>
    isCollection
      ? {
          subject: `Your parcel has been delivered to ${merchantName}`,
          preview: `Delivered on ${delivery?.at}.`,
          heading: 'Your parcel has been delivered',
          highlight: { label: 'Delivered', value: delivery?.at ?? '' },
          paragraphs: [`${merchantName} has received the parcel of your collection ${referenceNumber}.`],
          button: { label: 'See the tracking page', link },
          small: [personal(referenceNumber), automatic(shopContact)],
        }
      : {
          subject: `Your parcel from ${merchantName} has been delivered`,
          preview: `Delivered on ${delivery?.at}.`,
          heading: 'Your parcel has been delivered',
          highlight: { label: 'Delivered', value: delivery?.at ?? '' },
          paragraphs: [
            ...(delivery ? [proofOf(delivery)] : []),
            `Haven’t received it, or is the parcel damaged? Please contact ${shopContact}.`,
          ],
          button: { label: 'See the tracking page', link },
          small: [personal(referenceNumber), automatic(merchantName)],
        },

  'cancelled-email': ({ merchantName, shopContact, referenceNumber, isCollection, link }) => ({
    subject: isCollection
      ? `Your collection for ${merchantName} has been cancelled`
      : `Your delivery from ${merchantName} has been cancelled`,
    preview: 'No driver will come. There is nothing you need to do.',
    heading: isCollection ? 'Your collection has been cancelled' : 'Your delivery has been cancelled',
    paragraphs: [
      `Shipment ${referenceNumber} from ${merchantName} has been cancelled. No driver will come: there is nothing you need to do.`,
      `Any questions? Please contact ${shopContact}.`,
    ],
    button: { label: 'See the tracking page', link },
    small: [personal(referenceNumber), automatic(merchantName)],
  }),
};
