import type fr from '../fr/shipment-words.ts';
import type { Texts } from '../texts.ts';

const words: Texts<typeof fr> = {
  incidentKinds: {
    recipient_absent: 'Recipient absent',
    recipient_refuses: 'Parcel refused by the recipient',
    wrong_address: 'Wrong address',
    damaged: 'Parcel damaged',
    unreachable: 'Place cannot be reached',
    other: 'Another problem',
    code_refused: 'Wrong delivery code',
  },
  messageKinds: {
    'recipient-sms': 'SMS to the recipient',
    'recipient-email': 'Email to the recipient',
    'collection-sms': 'SMS to the collection contact',
    'collection-email': 'Email to the collection contact',
  },
};
export default words;
