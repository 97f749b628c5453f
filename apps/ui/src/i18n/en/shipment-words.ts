import { INCIDENT_WORDS } from '@navette/contract/incident-words';
import type fr from '../fr/shipment-words.ts';
import type { Texts } from '../texts.ts';

const words: Texts<typeof fr> = {
  incidentKinds: INCIDENT_WORDS.en,
  reportKinds: {
    not_received: 'Recipient says: parcel not received',
    damaged: 'Recipient says: parcel or contents damaged',
    incomplete: 'Recipient says: something is missing',
    other: 'Problem reported by the recipient',
  },
  messageKinds: {
    'recipient-sms': 'SMS to the recipient',
    'recipient-email': 'Email to the recipient',
    'collection-sms': 'SMS to the collection contact',
    'collection-email': 'Email to the collection contact',
    'zone-email': 'Email about a delay in the area',
    'booked-email': 'Email about the booked time slot',
    'next-email': 'Email about the next stop',
    'soon-sms': 'SMS shortly before the arrival',
    'delivered-email': 'Email about the delivery',
    'cancelled-email': 'Email about the cancellation',
  },
};
export default words;
