import type { Translations } from '../translations.ts';

const messages: Translations['messages'] = {
  title: 'Messages to recipients',
  text: 'What your customers receive during the delivery. Each message is sent only once per shipment.',
  language: {
    title: 'Language of messages',
    text: 'By default messages are in French, and the tracking page opens in the phone’s language. A shipment can choose another language in metadata.locale, for example “en”.',
    default: 'Default',
    names: { fr: 'French', en: 'English' },
  },
  list: 'Messages',
  email: 'Email',
  sms: 'SMS',
  always: 'Always sent',
  preview: 'Preview',
  previewOf: 'Preview: {{message}}',
  previewLanguage: 'Language of the preview',
  part: 'Version of the message',
  parts: { html: 'Formatted', text: 'Plain text' },
  invented: 'The shipment and the recipient of this preview are made up.',
  segments_one: 'Counts as {{count}} SMS.',
  segments_other: 'Counts as {{count}} SMS.',
  saved: 'Messages updated',
  smsToday_one: '{{count}} SMS today, {{most}} a day at most.',
  smsToday_other: '{{count}} SMS today, {{most}} a day at most.',
  kinds: {
    'booked-email': {
      title: 'Time slot booked',
      text: 'When a shipment with a time slot is created. For a collection, to its contact.',
    },
    'recipient-sms': {
      title: 'Tracking and code, by SMS',
      text: 'When an express shipment is created, otherwise when the shipment is assigned to a driver.',
    },
    'recipient-email': { title: 'Tracking and code, by email', text: 'Together with the SMS.' },
    'collection-sms': {
      title: 'Collection, by SMS',
      text: 'To the contact of a collection, when it is assigned to a driver.',
    },
    'collection-email': { title: 'Collection, by email', text: 'At the same time, with the pickup QR code.' },
    'next-email': {
      title: 'Next stop',
      text: 'When the driver is on the way to the recipient, with the estimated arrival.',
    },
    'soon-sms': {
      title: 'In about ten minutes',
      text: 'A second SMS, shortly before the arrival. It counts towards your SMS of the day.',
    },
    'delivered-email': {
      title: 'Parcel delivered',
      text: 'On delivery, with how it was confirmed. For a collection, to its contact.',
    },
    'cancelled-email': {
      title: 'Delivery cancelled',
      text: 'On cancellation, if a message had announced the parcel.',
    },
  },
};
export default messages;
